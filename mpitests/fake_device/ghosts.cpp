// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Ghosts on the fake GPU, which ends the process if two of them run at a time, if they go on beside a collective, or if
// their thread may be handed a signal. What is counted does not depend on time: it only must not happen too early, too
// late or at all. The argument: some, none (nobody asked), not_on_0 (its GPU refuses), no_pattern or threads.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"
#include "telemetry/segment/segment_reader.hpp"

namespace airamp::device_tests {
namespace {

constexpr int earliest_lock = 20;  // calls: the least that AIRAMP_POLA_LOCK_EVENTS can be
constexpr int rounds = 70;         // enough for a lock and many windows
constexpr auto gap = std::chrono::milliseconds(2);

int ghost_threads() {
  int found = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "comm");
    std::string name;
    std::getline(file, name);
    if (name == "airamp-ghosts") ++found;
  }
  return found;
}

/// One call of a pattern, and the gap behind it.
void step(const Vocabulary& vocabulary, MPI_Comm communicator, int round) {
  constexpr std::size_t counts[] = {40000, 10000, 20000};
  run(sum_of(vocabulary, Format::float32, counts[round % 3], round), communicator);
  std::this_thread::sleep_for(gap);
}

/// A child process has no thread of ours, and can come and go.
void fork_in_a_window() {
  const pid_t child = fork();
  require(child >= 0, "fork");
  if (child == 0) {
    const unsigned long before = fake_gpu_ghosts();
    const bool alone = ghost_threads() == 0;
    std::this_thread::sleep_for(gap);
    _exit(alone && fake_gpu_ghosts() == before ? 0 : 1);
  }
  int status = 0;
  require(waitpid(child, &status, 0) == child && status == 0, "a child process");
}

/// Calls of different sizes in an order without a pattern, so that PoLA never locks.
void run_without_pattern(const Vocabulary& vocabulary) {
  unsigned drawn = 1;
  for (int round = 0; round < rounds; ++round) {
    drawn = drawn * 1103515245U + 12345U;
    run(sum_of(vocabulary, Format::float32, std::size_t{1} << (drawn >> 16U) % 13, round), MPI_COMM_WORLD);
    std::this_thread::sleep_for(gap);
  }
}

void run_with_pattern(const Vocabulary& vocabulary, bool expects_ghosts) {
  for (int round = 0; round < earliest_lock; ++round) {
    require(fake_gpu_ghosts() == 0 && ghost_threads() == 0, "no ghosts before there is a pattern");
    step(vocabulary, MPI_COMM_WORLD, round);
  }
  for (int round = earliest_lock; round < rounds; ++round) {
    step(vocabulary, MPI_COMM_WORLD, round);
    if (round % 16 == 0) fork_in_a_window();
  }
  require((fake_gpu_ghosts() > 0) == expects_ghosts, "ghosts between expected calls, if somebody asked for them");
}

/// Whether this process has published as many ghosts as it has launched. After MPI_Finalize.
bool published_right(const char* folder) {
  for (const std::string& job : telemetry::list_jobs(folder, geteuid()).jobs) {
    for (const telemetry::RankSnapshot& rank : telemetry::read_job(folder, job).ranks) {
      if (rank.process == static_cast<std::uint64_t>(getpid())) return rank.ghost_kernel_launches == fake_gpu_ghosts();
    }
  }
  return false;
}

void run_in_threads(const Vocabulary& vocabulary) {
  MPI_Comm communicators[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
  for (MPI_Comm& communicator : communicators) MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  const auto work = [&vocabulary](MPI_Comm communicator, int first) {
    for (int round = first; round < first + rounds; ++round) step(vocabulary, communicator, round);
  };
  std::thread other(work, communicators[0], 0);
  work(communicators[1], 1000);
  other.join();
  work(communicators[1], 2000);
  require(fake_gpu_ghosts() > 0, "ghosts between the calls of two threads");
  for (MPI_Comm& communicator : communicators) MPI_Comm_free(&communicator);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  const std::string wanted = argc > 1 ? argv[1] : "";
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, wanted == "threads" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  {
    const Vocabulary vocabulary;
    if (wanted == "threads") {
      if (provided == MPI_THREAD_MULTIPLE) run_in_threads(vocabulary);
    } else if (wanted == "no_pattern") {
      run_without_pattern(vocabulary);
      require(fake_gpu_ghosts() == 0 && ghost_threads() == 0, "no ghosts without a pattern");
    } else {
      require(wanted == "some" || wanted == "none" || wanted == "not_on_0", "an argument");
      run_with_pattern(vocabulary, wanted == "some" || (wanted == "not_on_0" && rank_in() != 0));
    }
  }
  const bool had_thread = ghost_threads() > 0;
  MPI_Finalize();
  const unsigned long before = fake_gpu_ghosts();
  std::this_thread::sleep_for(gap);
  const bool right = fake_gpu_ghosts() == before && ghost_threads() == 0 && (had_thread || before == 0);
  if (!right) std::fputs("wrong: ghosts outlive MPI_Finalize, or were there without a thread\n", stderr);
  const char* const segments = std::getenv("AIRAMP_TELEMETRY_FOLDER");
  const bool published = segments == nullptr || published_right(segments);
  if (!published) std::fputs("wrong: the number of ghosts that is published\n", stderr);
  return right && published ? 0 : 1;
}
