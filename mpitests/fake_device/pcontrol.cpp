// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// MPI_Pcontrol on one rank alone, in the midst of collectives on device buffers.
#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  {
    const Vocabulary vocabulary;
    int round = 0;
    for (int alone = 0; alone < size_of(); ++alone) {
      for (int turn = 0; turn < 12; ++turn) {
        if (rank_in() == alone) MPI_Pcontrol(turn % 2);
        for (const Kind kind : every_kind) {
          for (const std::size_t count : {std::size_t{64}, std::size_t{20000}}) {
            run(call_of(vocabulary, kind, Format::float32, count, ++round), MPI_COMM_WORLD);
          }
        }
      }
    }
  }
  MPI_Finalize();
  return 0;
}
