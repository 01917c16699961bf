// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/group/host/host_group.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "tests/pmpi/algorithm/acquired.hpp"
#include "tests/schedules/program.hpp"

namespace airamp::schedules {

config::Settings imposed(config::Force force) {
  config::Settings settings = pmpi::opted_in();
  settings.force = force;
  return settings;
}

namespace {

using pmpi::native;

const config::Settings two_shot = imposed(config::Force::mpi_two_shot);

config::Settings with_posted_receives() {
  config::Settings settings = two_shot;
  settings.pola_post_receives = true;
  return settings;
}

void call_twice(Rank& rank) {
  rank.allreduce();
  rank.allreduce();
}

void broadcast_in_shared_memory(Rank& rank) {
  rank.share_memory_and_review_often();
  rank.make_library(true);
  rank.allreduce();
  for (int call = 0; call < 6; ++call) {
    rank.broadcast(0);
    rank.during_message(0, 1, [&] { rank.broadcast(rank.size() - 1); });
  }
  rank.allreduce();
}

/// Of two lengths, between broadcasts, which their roots leave in the same places. For a while they are not left.
void scatter_in_shared_memory(Rank& rank) {
  rank.share_memory_and_review_often();
  rank.allreduce();
  for (int call = 0; call < 20; ++call) {
    rank.make_library(call / 8 != 1);
    rank.scatter(0);
    if (call % 2 == 1) rank.broadcast(call % rank.size());
    if (call % 3 == 1) rank.scatter(0, Rank::elements / 10);
    rank.during_message(0, 1, [&] { rank.scatter(rank.size() - 1); });
  }
  rank.allreduce();
}

/// Of several lengths, some of them too long to be left, between scatters and broadcasts in the same places.
void scatter_blocks_of_any_length(Rank& rank) {
  rank.share_memory_and_review_often();
  rank.allreduce();
  for (int call = 0; call < 20; ++call) {
    rank.make_library(call / 8 != 1);
    rank.scatter_lengths(0, 300);
    if (call % 2 == 1) rank.broadcast(call % rank.size());
    if (call % 3 == 1) rank.scatter_lengths(0, call % 2 == 0 ? 30 : Rank::in_parts);
    rank.during_message(0, 1, [&] { rank.scatter_lengths(rank.size() - 1, 300); });
  }
  rank.allreduce();
}

/// By turns and several of one length; one rank alone knows which.
void gather_blocks_of_any_length(Rank& rank) {
  rank.share_memory_and_review_often();
  for (int call = 0; call < 30; ++call) {
    rank.make_library(call / 10 % 2 == 0);
    if (call % 3 == 0) rank.allreduce();
    const bool is_long = call < 12 ? call % 2 == 0 : call / 4 % 2 == 0;
    rank.gather_lengths(call / 15, is_long ? Rank::in_parts : 2);
  }
}

/// Whose ranks come to meet again by a vote alone, where they do.
void gather_without_waiting(Rank& rank) {
  rank.share_memory_and_review_often();
  rank.make_library(true);
  rank.allreduce();
  for (int call = 0; call < 20; ++call) {
    rank.gather_lengths(0, 2);
    rank.during_message(0, 1, [&] { rank.gather_lengths(rank.size() - 1, 2); });
  }
}

void agree_on_starts(Rank& rank) {
  rank.start();
  rank.complete();
  rank.share_starts();
  rank.barrier();
}

/// One rank starts more than there is room for before the others come, which wait for a message that it sends then.
void start_far_ahead(Rank& rank) {
  constexpr int ahead = 20;
  agree_on_starts(rank);
  rank.require(rank.shares_starts(), "a start is the MPI library's");
  const auto start_all = [&] {
    for (int call = 0; call < ahead; ++call) rank.start();
  };
  if (rank.rank() == 0) start_all();
  rank.during_message(0, 1, [] {});
  if (rank.rank() != 0) start_all();
  for (int call = 0; call < ahead; ++call) rank.complete();
}

/// A program whose ranks may share memory, and decide after few calls.
Program in_shared_memory(std::string_view name, std::function<void(Rank&)> body,
                         ReductionOrder order = ReductionOrder::fixed) {
  return {.name = name,
          .settings = {.warmup_iterations = 1, .reduction_order = order},
          .body = std::move(body),
          .shared_memory = true};
}

/// The same where who waits for three steps closes the meeting.
Program closed(Program program) {
  program.step = 20;
  return program;
}

}  // namespace

const std::vector<Program>& programs() {
  static const std::vector<Program> all = {
      {.name = "allreduce", .settings = two_shot, .body = [](Rank& rank) { rank.allreduce(); }},
      {.name = "two_allreduces", .settings = two_shot, .body = call_twice},
      {.name = "allgathers",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             rank.allgather();
             rank.allgather();
           }},
      {.name = "persistent",
       .settings = imposed(config::Force::native_persistent),
       .body =
           [](Rank& rank) {
             call_twice(rank);
             if (rank.rank() == 1) {
               rank.allreduce_elsewhere();
             } else {
               rank.allreduce();
             }
           }},
      {.name = "promised_order",
       .settings = {.reduction_order = ReductionOrder::fixed, .ranks_per_host = 1},
       .body = call_twice},
      {.name = "message",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             rank.during_message(0, rank.size() - 1, [&] { rank.allreduce(); });
             rank.during_message(rank.size() - 1, 0, [&] { rank.barrier(); });
           }},
      {.name = "root_ahead",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             rank.broadcast(0);
             rank.during_message(0, 1, [&] { rank.broadcast(rank.size() - 1); });
             rank.allreduce();
           }},
      {.name = "communicators",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             for (int round = 0; round < 2; ++round)
               rank.on_new_communicator([&](MPI_Comm comm) { rank.allreduce(comm); });
           }},
      recurring_communicators(),
      recurring_broadcasts(),
      {.name = "no_memory_on_one_rank",
       .settings = two_shot,
       .body = call_twice,
       .adjust = [](config::Settings& settings, int rank) { settings.host_scratch *= rank == 1 ? 0 : 1; }},
      {.name = "veto",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             rank.allreduce();
             rank.want(rank.rank() != 1);
             rank.allreduce();
             rank.want(true);
             rank.allreduce();
           }},
      {.name = "tuning",
       .settings = pmpi::opted_in(),
       .body =
           [](Rank& rank) {
             for (int call = 0; call < 20; ++call) rank.allreduce();
           }},
      {.name = "changing_decisions",
       .settings = pmpi::opted_in(),
       .body =
           [](Rank& rank) {
             rank.review_often();
             for (int call = 0; call < 40; ++call) {
               rank.allreduce();
               if (call % 8 == 7) rank.on_new_communicator([&](MPI_Comm comm) { rank.allreduce(comm); });
               if (call % 8 == 3) rank.allgather();
             }
           }},
      {.name = "shared_allreduces",
       .settings = {.reduction_order = ReductionOrder::fixed},
       .body =
           [](Rank& rank) {
             call_twice(rank);
             call_twice(rank);
           },
       .shared_memory = true},
      {.name = "shared_barriers",
       .settings = {.force = config::Force::shared_memory},
       .body =
           [](Rank& rank) {
             rank.barrier();
             rank.during_message(0, 1, [&] { rank.barrier(); });
             rank.barrier();
           },
       .shared_memory = true},
      in_shared_memory("shared_broadcasts", broadcast_in_shared_memory),
      in_shared_memory("shared_scatters", scatter_in_shared_memory),
      // A rank may still read what it gets when another lays out for the next call, in places of all.
      {.name = "shared_places",
       .settings = {.reduction_order = ReductionOrder::any, .force = config::Force::shared_memory},
       .body =
           [](Rank& rank) {
             for (int round = 0; round < 2; ++round) {
               rank.scan(Rank::in_parts);
               rank.scatter(round, Rank::in_parts);
               rank.scan(Rank::in_chunks);
               rank.scatter(round, Rank::in_parts);
               rank.allreduce();
             }
           },
       .shared_memory = true},
      closed(in_shared_memory("closed_broadcasts", broadcast_in_shared_memory)),
      closed(in_shared_memory("closed_scatters", scatter_in_shared_memory)),
      in_shared_memory("shared_uneven_scatters", scatter_blocks_of_any_length),
      closed(in_shared_memory("closed_uneven_scatters", scatter_blocks_of_any_length)),
      in_shared_memory("shared_lengths", gather_blocks_of_any_length, ReductionOrder::any),
      closed(in_shared_memory("closed_lengths", gather_blocks_of_any_length, ReductionOrder::any)),
      closed(in_shared_memory("closed_gathers", gather_without_waiting)),
      {.name = "shared_reduces",
       .settings = {.warmup_iterations = 1, .reduction_order = ReductionOrder::any},
       .body =
           [](Rank& rank) {
             rank.share_memory_and_review_often();
             rank.make_library(true);
             for (int call = 0; call < 12; ++call) {
               rank.allreduce();
               rank.reduce(call % 2);
               rank.during_message(0, 1, [&] { rank.reduce(1); });
             }
           },
       .shared_memory = true},
      // Those for which there is no room any more are sent.
      {.name = "reduces_far_ahead",
       .settings = {.warmup_iterations = 1, .reduction_order = ReductionOrder::any},
       .body =
           [](Rank& rank) {
             rank.share_memory();
             rank.make_library(true);
             for (int call = 0; call < 4; ++call) rank.allreduce();
             for (int call = 0; call < 40; ++call) rank.reduce(0);
           },
       .shared_memory = true},
      {.name = "shared_starts",
       .settings = {.reduction_order = ReductionOrder::any, .force = config::Force::shared_memory},
       .body =
           [](Rank& rank) {
             agree_on_starts(rank);
             rank.require(rank.shares_starts(), "a start is the MPI library's");
             for (int call = 0; call < 6; ++call) {
               rank.start();
               rank.start();
               rank.during_message(0, 1, [&] { rank.complete(); });
               rank.want(call != 3 || rank.rank() != 1);
               if (call % 3 == 1) rank.barrier();
               rank.complete();
             }
           },
       .shared_memory = true},
      // Those for which there is no room any more are the MPI library's.
      {.name = "starts_far_ahead",
       .settings = {.reduction_order = ReductionOrder::any, .force = config::Force::shared_memory},
       .body = start_far_ahead,
       .shared_memory = true},
      // Whether they pay is measured.
      {.name = "changing_starts",
       .settings = {.warmup_iterations = 1, .reduction_order = ReductionOrder::any},
       .body =
           [](Rank& rank) {
             rank.review_often();
             agree_on_starts(rank);
             for (int call = 0; call < 24; ++call) {
               rank.make_library(call / 8 % 2 == 0);
               rank.start();
               rank.start();
               if (call % 2 == 0) rank.barrier();
               rank.complete();
               rank.complete();
             }
           },
       .shared_memory = true},
      {.name = "changing_shared_decisions",
       .settings = {.warmup_iterations = 1, .reduction_order = ReductionOrder::any},
       .body =
           [](Rank& rank) {
             rank.share_memory_and_review_often();
             for (int call = 0; call < 36; ++call) {
               rank.make_library(call / 12 % 2 == 0);
               rank.allreduce();
               if (call % 7 == 0) rank.allreduce_shorter();
               rank.broadcast(0);
               rank.reduce(call / 18);
             }
           },
       .shared_memory = true},
      {.name = "pattern",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             for (int call = 0; call < 60; ++call) {
               rank.want(call != 50 || rank.rank() != 1);
               rank.allreduce();
               if (call == 40) rank.allgather();
             }
           }},
      // Receives of two plans are posted ahead, and stay so when the pattern breaks, a rank vetoes a call or a
      // communicator is freed. The second communicator has no tag left.
      {.name = "posted_receives",
       .settings = with_posted_receives(),
       .body =
           [](Rank& rank) {
             for (int call = 0; call < 28; ++call) {
               rank.want(call != 24 || rank.rank() != 1);
               rank.allreduce();
               rank.allgather();
               if (call % 16 != 15) continue;
               rank.on_new_communicator([&](MPI_Comm comm) {
                 for (int i = 0; i < 12; ++i) rank.allreduce(comm);
               });
             }
           },
       .largest_tag = 3 * pmpi::JobChannel::tags_of_algorithm - 1},
      {.name = "nonblocking",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             rank.during_collective([&] {
               rank.allreduce();
               rank.broadcast(0);
             });
             rank.during_message(0, 1, [&] { rank.during_collective([&] { rank.allreduce(); }); });
           }},
      {.name = "shared_nonblocking",
       .settings = {.warmup_iterations = 1, .reduction_order = ReductionOrder::fixed},
       .body =
           [](Rank& rank) {
             rank.share_memory_and_review_often();
             rank.make_library(true);
             for (int call = 0; call < 4; ++call) {
               rank.during_collective([&] {
                 rank.allreduce();
                 rank.broadcast(call % 2);
               });
             }
           },
       .shared_memory = true},
  };
  return all;
}

const Program* find_program(std::string_view name) {
  for (const std::vector<Program>* const list : {&programs(), &broken_programs()}) {
    const auto found = std::ranges::find(*list, name, &Program::name);
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

}  // namespace airamp::schedules
