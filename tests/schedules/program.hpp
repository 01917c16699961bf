// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Small programs of collectives, each with or without AIRamp, run by a schedule on the in-process MPI, and what must
// hold whatever the schedule: no rank waits for ever, all ranks do the same with a call, results are right, and nothing
// is left over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"
#include "testing/in_process_mpi/scheduler.hpp"

namespace airamp::schedules {

/// What a rank of a program can do. Checks the results, and notes what was done with each call.
class Rank {
 public:
  static constexpr int elements = 300;

  Rank(int rank, int size, bool airamp) : rank_(rank), size_(size), airamp_(airamp) {}

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool airamp() const { return airamp_; }

  void allreduce(MPI_Comm comm = MPI_COMM_WORLD) { allreduce(values_, comm); }
  /// Beside AIRamp: what no rank may do alone.
  void native_allreduce();
  /// In a buffer that is not that of the other calls.
  void allreduce_elsewhere() { allreduce(other_values_, MPI_COMM_WORLD); }
  /// Of one number less, which is no other signature.
  void allreduce_shorter() { allreduce(fewer_values_, MPI_COMM_WORLD); }
  void allgather();
  /// `root`: in MPI_COMM_WORLD; of another communicator it has the opposite number.
  void broadcast(int root, MPI_Comm comm = MPI_COMM_WORLD);
  void reduce(int root);
  /// Of so many numbers that shared memory carries them in parts, or in chunks.
  static constexpr int in_parts = 5000;
  static constexpr int in_chunks = 100000;
  void scan(int count);
  /// Of blocks of so many numbers.
  void scatter(int root, int count = elements);
  /// MPI_Gatherv: `count` numbers of the rank behind the root, and some of each other one.
  void gather_lengths(int root, int count);
  /// MPI_Scatterv of blocks of those lengths.
  void scatter_lengths(int root, int count);
  void barrier();
  /// MPI_Iallreduce of fewer numbers, which are not looked at before `complete`: of the oldest that is under way.
  void start();
  void complete();
  /// `body` between the start and the end of a message of one rank to another.
  void during_message(int from, int to, const std::function<void()>& body);
  /// The same of a nonblocking collective, which AIRamp leaves alone.
  void during_collective(const std::function<void()>& body);
  /// `body` on a communicator with all ranks in the opposite order, which is made and freed.
  void on_new_communicator(const std::function<void(MPI_Comm)>& body);
  /// MPI_Comm_set_errhandler with MPI_ERRORS_RETURN, instead of the job's end.
  static void have_errors_returned();
  /// MPI_Pcontrol.
  void want(bool airamp);
  /// From now on calls may go through memory that the ranks share; on all ranks.
  void share_memory(MPI_Comm comm = MPI_COMM_WORLD);
  /// What has been started before goes through that memory from the next barrier on; on all ranks.
  void share_starts();
  /// Whether all that was started before goes that way now; true without AIRamp.
  bool shares_starts() const;
  /// What the MPI library's own calls of 1 KiB and more take from now on, on all ranks: a millisecond, or no time.
  static void make_library(bool slow);
  /// From now on decisions are measured again after a few calls; on all ranks.
  void review_often();
  void share_memory_and_review_often() {
    share_memory();
    review_often();
  }

  void note(const std::string& decision) { decisions_.push_back(decision); }
  void require(bool holds, const char* what);

  const std::vector<std::string>& decisions() const { return decisions_; }
  const std::vector<float>& results() const { return results_; }
  const std::string& wrong() const { return wrong_; }

 private:
  struct Lengths;
  Lengths lengths(int root, int count) const;
  std::vector<float> blocks_of(const Lengths& lengths) const;
  void allreduce(std::vector<float>& values, MPI_Comm comm);
  void fill(std::vector<float>& values) const;
  std::vector<float> sum() const;
  void check_sum(const std::vector<float>& values);
  void check(const std::vector<float>& values, const std::vector<float>& expected, const char* what);
  void note_decisions(MPI_Comm comm);

  struct Started {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<float> values = std::vector<float>(elements);
  };

  int rank_;
  int size_;
  bool airamp_;
  std::list<Started> started_;
  std::vector<float> values_ = std::vector<float>(elements);
  std::vector<float> other_values_ = std::vector<float>(elements);
  std::vector<float> fewer_values_ = std::vector<float>(elements - 1);
  std::vector<float> values_in_flight_ = std::vector<float>(elements);
  std::vector<std::string> decisions_;
  std::vector<float> results_;
  std::string wrong_;
};

struct Program {
  std::string_view name;
  config::Settings settings;
  std::function<void(Rank&)> body;
  std::function<void(config::Settings&, int rank)> adjust = nullptr;  ///< what differs from rank to rank
  int largest_tag = 32767;
  bool shared_memory = false;                   ///< AIRamp's ranks may share memory
  std::vector<testing::Failure> failures = {};  ///< of MPI calls; what becomes of the program is left open then
  std::uint64_t step = 1;                       ///< what a step takes, in microseconds, unless that is left to chance
};

/// Those of a job that opted in to compression and imposes an algorithm.
config::Settings imposed(config::Force force);

/// Whose communicators of the same ranks follow each other.
Program recurring_communicators();
Program recurring_broadcasts();

/// Those that must not fail, and broken ones that must.
const std::vector<Program>& programs();
const std::vector<Program>& broken_programs();
/// Of both; nullptr if there is none of the name.
const Program* find_program(std::string_view name);

/// What was wrong in a run; empty if nothing was.
std::string run(const Program& program, int ranks, testing::Scheduler& scheduler, bool airamp = true);

}  // namespace airamp::schedules
