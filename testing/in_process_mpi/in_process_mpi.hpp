// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// MPI for unit tests: the ranks are threads of one process, and the functions that AIRamp calls (pmpi/mpi/native.hpp)
// are those of this folder. No mpirun, no time, no chance:
//
//   const Outcome outcome = run_ranks({.ranks = 3, .seed = 7}, [](int rank) {
//     const pmpi::Result<bool> all = pmpi::agree_on_success(MPI_COMM_WORLD, rank != 1);
//     EXPECT_TRUE(all.ok() && !*all);
//   });
//   EXPECT_EQ(outcome.trouble, "");
//
// The ranks take turns: one of them runs at a time, and leaves its turn in calls of MPI alone. Who comes next, how long
// a message is under way and whether a send waits for its receive follow from the seed, so that a run can be had again;
// or a scheduler says so (exploration.hpp: one after the other, all schedules that make a difference).
// Time is what they take, not what the machine does: see Costs. Where ranks share memory, another one may come next
// whenever one looks at the clock as well, as AIRamp does before and behind its meetings, and who waits there goes on
// with MPI, and so leaves its turn.
// What a process has one of (pmpi/mpi/process_wide.hpp: the job with its settings, the states of the communicators,
// what is known of them) every rank has for itself, new in every run. What it cannot tell apart: the publisher, the
// trace, GPUs, and what is known of MPI operations, which are looked up by handles that no two ranks have in common.
//
// As in real MPI, collectives and messages have to match, messages of one sender do not overtake each other, buffers
// are read and written at any time before a request is complete, and errors go to the communicator's handler:
// MPI_ERRORS_ARE_FATAL, the default, ends the job, which here means that every call of MPI on every rank returns an
// error from then on. If all ranks wait, or none gets on, the run ends in the same way, and `trouble` says who waited
// for what; a rank that does not even call MPI ends the program, with a message.
//
// What is no function of AIRamp's native table, the application's part of MPI, is below. Use handles in their own run
// only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pmpi/mpi/mpi.hpp"
#include "testing/in_process_mpi/scheduler.hpp"

namespace airamp::testing {

/// A call that is to fail.
struct Failure {
  std::string function;  ///< without "MPI_" or "MPIX_"
  int rank = 0;
  int call = 1;  ///< which of this rank's calls of the function, from 1
  int code = MPI_ERR_INTERN;
};

struct Plan {
  int ranks = 2;
  std::uint64_t seed = 1;
  std::vector<Failure> failures;
  bool threads = false;            ///< what MPI_Query_thread answers: MPI_THREAD_MULTIPLE, or MPI_THREAD_FUNNELED
  int ranks_per_host = 0;          ///< for MPI_Comm_split_type; 0: all on one host
  bool shared_memory = false;      ///< AIRamp's ranks may share memory: every step is taken to touch that of all
  int largest_tag = 32767;         ///< MPI_TAG_UB
  Scheduler* scheduler = nullptr;  ///< decides in place of the seed; then at most 64 ranks
};

struct Outcome {
  std::string trouble;                            ///< a deadlock or a misuse of MPI; empty if there was none
  bool ended = false;                             ///< an error met MPI_ERRORS_ARE_FATAL
  std::vector<std::map<std::string, int>> calls;  ///< by rank, of each function
  std::size_t requests_left = 0;                  ///< of all ranks, neither freed nor complete
  std::size_t messages_left = 0;                  ///< that nobody has received
};

/// Runs `body` on every rank, and returns when all have returned from it.
Outcome run_ranks(const Plan& plan, const std::function<void(int rank)>& body);

/// `count` elements of `inner` in a row, committed. `name`: as by MPI_Type_set_name.
MPI_Datatype make_contiguous(int count, MPI_Datatype inner, const std::string& name = "");
/// The same with a hole after each.
MPI_Datatype make_padded(MPI_Datatype inner, MPI_Aint extent);
/// MPI_Type_free, which AIRamp does not see.
void free_type(MPI_Datatype type);

/// For MPI_Comm_set_info.
MPI_Info make_info(const std::map<std::string, std::string>& values);

/// What MPI takes, by the clock that AIRamp's stopwatches read: a microsecond a turn, and what this says, from now on.
struct Costs {
  double collective_seconds = 0;  ///< of a collective that moves 1 KiB or more
  double message_seconds = 0;
};
void set_costs(const Costs& costs);

/// Lets other ranks run: so many turns pass at least, if there is anybody to take them.
void let_others_run(int turns = 1);

}  // namespace airamp::testing
