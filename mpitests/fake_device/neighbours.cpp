// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// neighbours occupied|held_up|reset [compressed]: what the application itself does with its GPU beside its collectives.
// `occupied`: kernels of its own take all room on some ranks' GPUs until the host has the collective's result.
// `held_up`: likewise, and another thread of these ranks keeps the driver from them meanwhile.
// `reset`: it resets its GPU, on some ranks or on all, in mid-run, before MPI_Comm_free and before MPI_Finalize.
#include <cstring>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::device_tests {
namespace {

constexpr std::size_t count = 20000;  // more than one-shot algorithms carry alone

void run_some(const Vocabulary& vocabulary, MPI_Comm communicator, int calls, bool compressed) {
  for (int round = 0; round < calls; ++round) {
    if (compressed) {
      run(sum_of(vocabulary, Format::float16, count, round), communicator);
      continue;
    }
    for (const Kind kind : every_kind) run(call_of(vocabulary, kind, Format::float32, count, round), communicator);
  }
}

/// Takes the room of the ranks whose bit is set in `ranks` for a call of each kind, in place and not.
void run_occupied(const Vocabulary& vocabulary, int ranks, bool held_up) {
  for (const bool in_place : {false, true}) {
    for (const Kind kind : every_kind) {
      Call call = call_of(vocabulary, kind, Format::float32, count, ranks);
      call.in_place = in_place && kind != Kind::bcast;
      MPI_Barrier(MPI_COMM_WORLD);
      fake_gpu_occupy((ranks >> rank_in() & 1) != 0);
      fake_gpu_hold_up(held_up && (ranks >> rank_in() & 1) != 0);
      run(call, MPI_COMM_WORLD);
      fake_gpu_occupy(false);
      fake_gpu_hold_up(false);
    }
  }
}

/// `held_up`: some rank's kernel has room, or no kernel could call the others off.
void run_beside_kernels(const Vocabulary& vocabulary, bool held_up) {
  run_some(vocabulary, MPI_COMM_WORLD, 12, false);
  const int all = (1 << size_of()) - 1;
  for (int ranks = 1; ranks <= (held_up ? all - 1 : all); ++ranks) run_occupied(vocabulary, ranks, held_up);
  run_some(vocabulary, MPI_COMM_WORLD, 60, false);  // 360 calls: long enough for another attempt
}

void run_with_resets(const Vocabulary& vocabulary, bool compressed) {
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  for (int ranks = 1; ranks < 1 << size_of(); ++ranks) {
    run_some(vocabulary, MPI_COMM_WORLD, 12, compressed);
    run_some(vocabulary, duplicate, 12, compressed);
    MPI_Barrier(MPI_COMM_WORLD);
    if ((ranks >> rank_in() & 1) != 0) fake_gpu_reset();
  }
  run_some(vocabulary, duplicate, 12, compressed);
  if (rank_in() == 0) fake_gpu_reset();
  MPI_Comm_free(&duplicate);
  run_some(vocabulary, MPI_COMM_WORLD, 12, compressed);
  fake_gpu_reset();
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  {
    const Vocabulary vocabulary;
    const bool held_up = argc > 1 && std::strcmp(argv[1], "held_up") == 0;
    if (held_up || (argc > 1 && std::strcmp(argv[1], "occupied") == 0))
      run_beside_kernels(vocabulary, held_up);
    else
      run_with_resets(vocabulary, argc > 2);
  }
  MPI_Finalize();
  return 0;
}
