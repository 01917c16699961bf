// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// stopped SECONDS: ranks are stopped (SIGSTOP) for SECONDS while the others wait for them in collectives, and
// continued. All results must be right, on all ranks.
//
// Each rank is stopped once by the next one, wherever it happens to be. Then some stop by themselves before a call with
// a root, for which natively some of the others need not wait, and whose agreement may therefore be closed.
#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

using Seconds = std::chrono::duration<double>;

/// Shorter and longer than what a rank gives beside its word, and some chunks of the memory.
constexpr int lengths[] = {1, 1000, 40000};

std::atomic<long> calls_begun{0};  // of this rank

std::vector<long> numbers(int length, long first) {
  std::vector<long> values(static_cast<std::size_t>(length));
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// Element by element what numbers(length, first + rank) add up to over all ranks.
std::vector<long> sums(int length, long first) {
  const long ranks = size_of(MPI_COMM_WORLD);
  std::vector<long> values = numbers(length, first);
  for (long& value : values) value = value * ranks + ranks * (ranks - 1) / 2;
  return values;
}

void allreduce(int length, long first) {
  const std::vector<long> own = numbers(length, first + rank_in(MPI_COMM_WORLD));
  std::vector<long> got(own.size());
  ++calls_begun;
  MPI_Allreduce(own.data(), got.data(), length, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  require(got == sums(length, first), "MPI_Allreduce");
}

void allgather(long value) {
  std::vector<long> got(static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
  const long own = value + rank_in(MPI_COMM_WORLD);
  ++calls_begun;
  MPI_Allgather(&own, 1, MPI_LONG, got.data(), 1, MPI_LONG, MPI_COMM_WORLD);
  require(got == numbers(size_of(MPI_COMM_WORLD), value), "MPI_Allgather");
}

void bcast(int length, long first, int root) {
  std::vector<long> got = numbers(length, rank_in(MPI_COMM_WORLD) == root ? first : -1);
  ++calls_begun;
  MPI_Bcast(got.data(), length, MPI_LONG, root, MPI_COMM_WORLD);
  require(got == numbers(length, first), "MPI_Bcast");
}

void reduce(int length, long first, int root) {
  const std::vector<long> own = numbers(length, first + rank_in(MPI_COMM_WORLD));
  std::vector<long> got(own.size());
  ++calls_begun;
  MPI_Reduce(own.data(), got.data(), length, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == root) require(got == sums(length, first), "MPI_Reduce");
}

constexpr long calls_in_a_round = 3 * 3 + 2;

/// Every call in all lengths; what natively does not wait comes between calls that do.
void all_calls(long round) {
  const int root = static_cast<int>(round % size_of(MPI_COMM_WORLD));
  for (const int length : lengths) {
    bcast(length, round, root);
    reduce(length, round, root);
    allreduce(length, round);
  }
  allgather(round);
  ++calls_begun;
  MPI_Barrier(MPI_COMM_WORLD);
}

bool is_stopped(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.compare(name_end, 3, ") T") == 0;
}

void await_stop(pid_t process) {
  while (!is_stopped(process)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Stops a rank while this one goes on with its calls.
void stop_and_continue(pid_t process, Seconds duration) {
  std::this_thread::sleep_for(std::chrono::milliseconds(17));  // in the midst of them
  require(kill(process, SIGSTOP) == 0, "a rank may be stopped");
  await_stop(process);
  const long before = calls_begun;
  std::this_thread::sleep_for(duration);
  require(calls_begun - before <= calls_in_a_round, "this rank waits in a collective for the one that is stopped");
  kill(process, SIGCONT);
}

std::vector<pid_t> processes() {
  std::vector<pid_t> all(static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
  const pid_t own = getpid();
  MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
  return all;
}

/// All ranks, one after the other, while all go on.
void stop_each(const std::vector<pid_t>& process, Seconds duration) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int ranks = size_of(MPI_COMM_WORLD);
  std::atomic<int> finished{0};
  std::thread stopping;
  int turn = 0;
  for (long round = 0; turn < ranks; ++round) {
    all_calls(round);
    if (turn == rank && !stopping.joinable()) {
      stopping = std::thread([&] {
        stop_and_continue(process[static_cast<std::size_t>((rank + 1) % ranks)], duration);
        finished = 1;
      });
    }
    const int own = finished;
    MPI_Allreduce(&own, &turn, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  stopping.join();
}

/// `late` stops before `collective`, in which the others are, and is continued by another rank.
template <class Collective>
void stop_before(const Collective& collective, int late, const std::vector<pid_t>& process, Seconds duration) {
  const int rank = rank_in(MPI_COMM_WORLD);
  std::thread continuing;
  if (rank == (late + 1) % size_of(MPI_COMM_WORLD)) {
    continuing = std::thread([=] {
      await_stop(process[static_cast<std::size_t>(late)]);
      std::this_thread::sleep_for(duration);
      kill(process[static_cast<std::size_t>(late)], SIGCONT);
    });
  }
  if (rank == late) std::raise(SIGSTOP);
  collective();
  if (continuing.joinable()) continuing.join();
}

/// Before calls with a root, at the root and elsewhere.
void stop_in_rooted_calls(const std::vector<pid_t>& process, Seconds duration) {
  const int last = size_of(MPI_COMM_WORLD) - 1;
  for (const int root : {0, last}) {
    stop_before([=] { bcast(1, root, root); }, last, process, duration);
    for (long round = 0; round < 40; ++round) all_calls(round);
    for (const int length : {1, 1000}) {  // without an agreement, and with one
      stop_before([=] { reduce(length, root, root); }, last, process, duration);
      for (long round = 0; round < 40; ++round) all_calls(round);
    }
  }
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const Seconds duration(argc > 1 ? std::strtod(argv[1], nullptr) : 1.0);
  const std::vector<pid_t> process = processes();
  for (long round = 0; round < 40; ++round) all_calls(round);
  stop_each(process, duration);
  stop_in_rooted_calls(process, duration);
  MPI_Finalize();
  return 0;
}
