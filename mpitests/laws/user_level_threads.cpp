// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Two user-level threads of one thread of the system, each with a communicator of its own, over an MPI library that
// switches between them while it waits (yielding_mpi.c). The ranks' turns differ.
#include <mpi.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/yielding_mpi.h"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;
constexpr int rounds = 20;

std::array<ucontext_t, 2> contexts;
std::array<bool, 2> ended{};
std::array<MPI_Comm, 2> communicators{MPI_COMM_NULL, MPI_COMM_NULL};
const HalfSum* half = nullptr;
std::size_t running = 0;
int rank = 0;
int compressed = 0;

void yield() {
  const std::size_t own = running;
  if (ended[1 - own]) return;
  running = 1 - own;
  swapcontext(&contexts[own], &contexts[1 - own]);
}

void run_thread(std::size_t own) {
  for (int round = 0; round < rounds; ++round) {
    if (rank % 2 == static_cast<int>(own)) {
      for (int i = 0; i < 3; ++i) yield();
      usleep(1000);
    }
    if (sum_halves(*half, communicators[own], count, round) > 0) ++compressed;
  }
  ended[own] = true;
}

void run_second() {
  run_thread(1);
  running = 0;
  setcontext(&contexts[0]);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    const HalfSum sum;
    half = &sum;
    for (MPI_Comm& communicator : communicators) {
      MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
      sum_halves(sum, communicator, count, 0);  // with its plan: this MPI library does not yield in MPI_Comm_split
    }
    static std::array<char, std::size_t{1} << 20> stack;
    getcontext(&contexts[1]);
    contexts[1].uc_stack.ss_sp = stack.data();
    contexts[1].uc_stack.ss_size = stack.size();
    makecontext(&contexts[1], run_second, 0);
    yield_to_others = yield;
    run_thread(0);
    while (!ended[1]) yield();
    yield_to_others = nullptr;
    require(compressed > rounds, "most calls were accelerated");
    for (MPI_Comm& communicator : communicators) MPI_Comm_free(&communicator);
  }
  MPI_Finalize();
  return 0;
}
