// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Under MPI_ERRORS_RETURN a wrong call on device buffers returns the class of error that it returns with AIRamp
// switched off, and the next call is right.
#include <cstdio>
#include <vector>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr int count = 20000;

int class_of(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

// MPICH 5.0.2 itself ends the process on a null type with a predefined operation.
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 50000000
constexpr bool null_type_with_predefined_operation = false;
#else
constexpr bool null_type_with_predefined_operation = true;
#endif

/// Every rank makes the same mistakes, so that none of them waits for another.
std::vector<int> make_mistakes(const Vocabulary& vocabulary, MPI_Comm communicator) {
  const Buffer send(Place::device, 4 * count);
  const Buffer receive(Place::device, 16 * count);
  const MPI_Op half_sum = vocabulary.operations(vocabulary.elements().front()).front()->op;
  const MPI_Op sum = null_type_with_predefined_operation ? MPI_SUM : half_sum;
  return {
      class_of(MPI_Bcast(receive.data(), count, MPI_FLOAT, size_of(communicator), communicator)),
      class_of(MPI_Bcast(receive.data(), count, MPI_FLOAT, -7, communicator)),
      class_of(MPI_Bcast(receive.data(), count, MPI_DATATYPE_NULL, 0, communicator)),
      class_of(MPI_Allreduce(send.data(), receive.data(), count, MPI_DATATYPE_NULL, sum, communicator)),
      class_of(MPI_Allreduce(send.data(), receive.data(), count, MPI_FLOAT, MPI_OP_NULL, communicator)),
      class_of(MPI_Allreduce(send.data(), receive.data(), count, MPI_FLOAT, MPI_BAND, communicator)),
      class_of(MPI_Allreduce(send.data(), receive.data(), count, MPI_DATATYPE_NULL, half_sum, communicator)),
      class_of(MPI_Reduce_scatter_block(send.data(), receive.data(), 100, MPI_FLOAT, MPI_OP_NULL, communicator)),
      class_of(MPI_Allgather(send.data(), 100, MPI_FLOAT, receive.data(), 100, MPI_DATATYPE_NULL, communicator)),
      class_of(MPI_Allgather(send.data(), 100, MPI_DATATYPE_NULL, receive.data(), 100, MPI_FLOAT, communicator)),
  };
}

void run_all() {
  const Vocabulary vocabulary;
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  MPI_Pcontrol(0);
  const std::vector<int> native = make_mistakes(vocabulary, communicator);
  MPI_Pcontrol(1);
  for (int round = 0; round < 3; ++round) {
    for (const Kind kind : every_kind) run(call_of(vocabulary, kind, Format::float32, count, round), communicator);
    const std::vector<int> seen = make_mistakes(vocabulary, communicator);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] != native[i]) std::fprintf(stderr, "mistake %zu: class %d, natively %d\n", i, seen[i], native[i]);
    }
    require(seen == native, "error classes");
  }
  require(native[0] != MPI_SUCCESS && native[1] != MPI_SUCCESS, "MPI finds a wrong root");
  MPI_Comm_free(&communicator);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all();
  MPI_Finalize();
  return 0;
}
