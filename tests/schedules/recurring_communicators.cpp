// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/schedules/program.hpp"

namespace airamp::schedules {
namespace {

/// A root goes on, and frees the communicator, while others have yet to take what it has left.
void call_on_each(Rank& rank) {
  constexpr int communicators = 4;
  for (int number = 0; number < communicators; ++number) {
    rank.on_new_communicator([&](MPI_Comm comm) {
      rank.share_memory(comm);
      rank.allreduce(comm);
      for (int call = 0; call < 2; ++call) rank.broadcast(number % rank.size(), comm);
      rank.during_message(0, 1, [&] { rank.broadcast(rank.size() - 1, comm); });
    });
  }
}

/// Nobody waits for all in any call. As many as the first invitation is behind, and some in which it may come.
void broadcast_on_each(Rank& rank) {
  constexpr int communicators = 3;
  constexpr int calls = 30;
  for (int number = 0; number < communicators; ++number) {
    rank.on_new_communicator([&](MPI_Comm comm) {
      rank.share_memory(comm);
      for (int call = 0; call < calls; ++call) rank.broadcast(call % rank.size(), comm);
    });
  }
}

}  // namespace

Program recurring_broadcasts() {
  return {.name = "recurring_broadcasts",
          .settings = {.warmup_iterations = 1},
          .body = broadcast_on_each,
          .shared_memory = true};
}

Program recurring_communicators() {
  return {.name = "recurring_communicators",
          .settings = {.warmup_iterations = 1, .reduction_order = ReductionOrder::fixed},
          .body = call_on_each,
          .shared_memory = true};
}

}  // namespace airamp::schedules
