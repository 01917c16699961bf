// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "pmpi/group/host/host_group.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "tests/pmpi/algorithm/acquired.hpp"
#include "tests/schedules/program.hpp"

namespace airamp::schedules {
namespace {

using pmpi::native;

/// Whether a message has come by now, which is another matter in another schedule.
bool has_come(Rank& rank) {
  int number = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank.rank() == 0) native().Send_init(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  if (rank.rank() == 1) native().Recv_init(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  rank.barrier();
  if (request == MPI_REQUEST_NULL) return false;
  native().MPI_Start(&request);
  int there = 0;
  if (rank.rank() == 1) native().MPI_Test(&request, &there, MPI_STATUS_IGNORE);
  if (there == 0 || request != MPI_REQUEST_NULL) native().MPI_Wait(&request, MPI_STATUS_IGNORE);
  native().MPI_Request_free(&request);
  return there != 0;
}

/// Two plans whose messages have the same tag: what is posted ahead for one of them takes what is the other's.
void share_a_tag(Rank& rank) {
  if (!rank.airamp()) return;
  const auto acquire = [&] {
    return std::make_unique<pmpi::AcquiredOnRank>(AlgorithmId::mpi_two_shot, pmpi::Kind::allreduce,
                                                  pmpi::compressed_facts(Rank::elements), rank.rank(), rank.size());
  };
  const auto first = acquire();
  const auto second = acquire();
  for (const pmpi::AcquiredOnRank* const plan : {first.get(), second.get()}) {
    std::vector<float> ones(Rank::elements, 1);
    (*plan)->execute({.input = ones.data(), .output = ones.data(), .elements = ones.size(), .blocks = {}});
    rank.require(ones == std::vector<float>(Rank::elements, static_cast<float>(rank.size())), "a sum is wrong");
    (*plan)->prepare_next();
  }
}

/// What a rank says in shared memory behind its arrival, others may look for before it is there.
void write_behind_arrival(Rank& rank) {
  if (!rank.airamp()) return;
  const auto group = pmpi::HostGroup::create({MPI_COMM_WORLD, rank.rank()}, rank.rank(), rank.size());
  pmpi::HostMeeting& meeting = group->made->meeting();
  meeting.arrive(1);
  static_cast<void>(pmpi::Stopwatch());  // where another rank may come next
  *meeting.data(rank.rank(), meeting.meetings()) = std::byte{42};
  meeting.hear();
  for (int peer = 0; peer < rank.size(); ++peer)
    rank.require(*meeting.data(peer, meeting.meetings()) == std::byte{42}, "what a rank has said is not there");
}

}  // namespace

const std::vector<Program>& broken_programs() {
  static const config::Settings two_shot = imposed(config::Force::mpi_two_shot);
  static const std::vector<Program> all = {
      {.name = "falls_back_alone",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             rank.allreduce();
             if (rank.airamp() && rank.rank() == 1) {
               rank.native_allreduce();
             } else {
               rank.allreduce();
             }
           }},
      {.name = "decides_by_what_has_come",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             const bool there = has_come(rank);
             if (rank.airamp() && rank.rank() == 1 && there) {
               rank.native_allreduce();
             } else {
               rank.allreduce();
             }
           }},
      {.name = "locks_by_time",
       .settings = two_shot,
       .body =
           [](Rank& rank) {
             const pmpi::Stopwatch watch;
             constexpr double long_enough = 10e-3;
             bool locked = false;
             for (int call = 0; call < 4; ++call) {
               locked = locked || watch.seconds() > long_enough;
               if (rank.airamp() && locked) {
                 rank.native_allreduce();
               } else {
                 rank.allreduce();
               }
             }
           }},
      {.name = "shares_a_tag",
       .settings = two_shot,
       .body = share_a_tag,
       .largest_tag = pmpi::JobChannel::tags_of_algorithm - 1},
      {.name = "writes_behind_its_arrival", .settings = {}, .body = write_behind_arrival, .shared_memory = true},
      {.name = "reuses_a_buffer_too_early",
       .settings = {},
       .body =
           [](Rank& rank) {
             int number = 42;
             if (rank.rank() > 1) return;
             MPI_Request request = MPI_REQUEST_NULL;
             if (rank.rank() == 0) {
               native().Send_init(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
             } else {
               native().Recv_init(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
             }
             native().MPI_Start(&request);
             if (rank.airamp() && rank.rank() == 0) number = 0;
             native().MPI_Wait(&request, MPI_STATUS_IGNORE);
             native().MPI_Request_free(&request);
             rank.require(rank.rank() == 0 || number == 42, "a message is wrong");
           }},
  };
  return all;
}

}  // namespace airamp::schedules
