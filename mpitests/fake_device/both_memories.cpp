// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// both_memories: on one communicator, calls on host buffers, which may go through the memory that the ranks of a host
// share, and between them calls on device buffers, for which the ranks meet elsewhere.
#include <mpi.h>

#include "mpitests/fake_device/checked_call/call.hpp"

namespace airamp::device_tests {
namespace {

void impose(const char* algorithm) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "airamp_force", algorithm);
  MPI_Comm_set_info(MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
}

void run_all() {
  const Vocabulary vocabulary;
  const Placement host{.send = Place::host, .receive = Place::host};
  int calls = 0;
  for (int round = 0; round < 4; ++round) {
    for (const Kind kind : every_kind) {
      impose("shared-memory");
      for (int i = 0; i < 5; ++i) run(call_of(vocabulary, kind, Format::int32, 100, ++calls), MPI_COMM_WORLD, host);
      impose("peer-two-shot");
      for (int i = 0; i < 3; ++i) run(call_of(vocabulary, kind, Format::int32, 100, ++calls), MPI_COMM_WORLD);
    }
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all();
  MPI_Finalize();
  return 0;
}
