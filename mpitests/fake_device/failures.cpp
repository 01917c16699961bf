// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// failures native|error: one rank's GPU fails, as FAKE_GPU_FAIL says. `native`: where the ranks still agree on what to
// do, all go on without AIRamp. `error`: it comes after they agreed; all ranks get an error from the same call.
#include <cstring>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

void run_natively(const Vocabulary& vocabulary, MPI_Comm communicator) {
  for (int round = 0; round < 12; ++round) {
    for (const Kind kind : every_kind) {
      run(call_of(vocabulary, kind, Format::float32, 200, round), communicator);
      run(call_of(vocabulary, kind, Format::float32, 20000, round), communicator);
    }
  }
}

/// Whether all ranks of the communicator got an error; requires that it is all or none.
bool failed_on_all(int error) {
  int counts[2] = {error != MPI_SUCCESS ? 1 : 0, 1};
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  require(counts[0] == 0 || counts[0] == counts[1], "an error on all ranks or on none");
  return counts[0] != 0;
}

void run_into_error(const Vocabulary& vocabulary) {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  bool failed = false;
  const Call call = sum_of(vocabulary, Format::float32, 20000, 1);
  for (int i = 0; i < 40 && !failed; ++i) failed = failed_on_all(run_exactly(call, communicator, {}));
  require(failed, "the failure was an MPI error");
  // It is final for GPU buffers on this communicator, and for nothing else.
  require(failed_on_all(run_exactly(call, communicator, {})), "the next call fails as well");
  for (int round = 0; round < 5; ++round) {
    for (const Kind kind : every_kind) {
      run(call_of(vocabulary, kind, Format::float32, 3000, round), communicator, {Place::host, Place::host});
    }
  }
  MPI_Comm_free(&communicator);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  {
    const Vocabulary vocabulary;
    if (argc > 1 && std::strcmp(argv[1], "error") == 0) {
      run_into_error(vocabulary);
    } else {
      MPI_Comm duplicate = MPI_COMM_NULL;
      run_natively(vocabulary, MPI_COMM_WORLD);
      MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
      run_natively(vocabulary, duplicate);
      MPI_Comm_free(&duplicate);
    }
  }
  MPI_Finalize();
  return 0;
}
