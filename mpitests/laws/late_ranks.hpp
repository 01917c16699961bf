// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "mpitests/differential/random.hpp"

namespace airamp::laws {

/// Ends the job with a message on stderr if `right` does not hold. `number`: in what it should, counted by the test.
inline void demand(bool right, const char* what, std::uint64_t number) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s, number %llu\n", what, static_cast<unsigned long long>(number));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

struct Ranks {
  int own = 0;
  int all = 0;
};

/// For no time or for a while.
inline void dawdle(differential::Random& random) {
  if (random.chance(0.01)) usleep(static_cast<useconds_t>(random.below(300)));
  if (random.chance(0.3)) sched_yield();
  std::uint64_t sink = 0;
  for (std::uint64_t turns = random.below(2000); turns > 0; --turns) sink = differential::mix(sink);
  demand(sink != 1, "mix", 0);  // so that the loop is not optimised away
}

}  // namespace airamp::laws
