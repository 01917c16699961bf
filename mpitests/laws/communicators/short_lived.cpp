// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A communicator for every time step, with fewer calls than a decision takes. What has been measured stays known: a
// communicator of the same ranks goes on where the one before it ended, one of other ranks begins anew, and so does one
// whose ranks have been on different ones. Results are right on all.
#include <mpi.h>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;
constexpr int steps = 20;
constexpr int calls_per_step = 3;

/// Ranks of MPI_COMM_WORLD that say the same part, for one step.
void step(const HalfSum& half, int part, int key) {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, part, key, &communicator);
  for (int call = 0; call < calls_per_step; ++call) sum_halves(half, communicator, count, call);
  MPI_Comm_free(&communicator);
}

}  // namespace

void run() {
  const HalfSum half;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < steps; ++i) step(half, 0, rank);
  for (int i = 0; i < steps; ++i) {
    step(half, rank == 0 ? 1 : 2, rank);  // the others know of a group that the first is not in
    step(half, 0, i % 2 == 0 ? rank : -rank);
  }
}

}  // namespace airamp::laws
