// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The last rank is killed in the middle of its collectives on device buffers; the others wait for it there.
#include <csignal>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  const Vocabulary vocabulary;
  for (int round = 0; round < 40; ++round) {
    if (round == 30 && rank_in() == size_of() - 1) std::raise(SIGKILL);
    run(sum_of(vocabulary, Format::float32, 10000, round), MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
