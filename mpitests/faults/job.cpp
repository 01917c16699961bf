// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/faults/job.hpp"

#include "mpitests/faults/verdict.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::faults {

void start(int required) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, required, &provided);
  require(provided >= required, "threads as they were asked for");
}

void finish() {
  MPI_Finalize();
  leave_verdict("right");
}

bool is_last() { return laws::rank_in(MPI_COMM_WORLD) == laws::size_of(MPI_COMM_WORLD) - 1; }

void work(int rounds) { Work(MPI_COMM_WORLD).rounds(rounds); }

}  // namespace airamp::faults
