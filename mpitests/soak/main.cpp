// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// soak [--seconds S] [--seed N] [--device] [--different-calls N] [--most-bytes N]: random collectives in phases, until
// S seconds have passed. N calls are drawn, and made again and again in random order; at first each some times. Each
// phase makes communicators, uses them and frees them. All results are compared with what each rank works out by
// itself; rank 0 prints a line of JSON for each phase: what every rank holds then. Ends with status 1 if a result was
// wrong. With --device most buffers are the fake GPU's. For 2 to 8 ranks.
#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/soak/checked_run.hpp"
#include "mpitests/soak/disturbance.hpp"
#include "mpitests/soak/held.hpp"

namespace airamp::soak {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int calls_in_phase = 60;
/// Of each different call, before the first phase: enough for AIRamp to decide on it.
constexpr int calls_ahead = 12;
constexpr int most_messages = 5;
struct Options {
  double seconds = 10;
  std::uint64_t seed = 1;
  std::size_t most_bytes = std::size_t{1} << 18U;
  /// A program makes the same calls again and again; each that was not seen before takes some memory.
  std::uint64_t different_calls = 80;
  bool device = false;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--device") == 0) options.device = true;
    if (i + 1 == argc) break;
    if (std::strcmp(argv[i], "--seconds") == 0) options.seconds = std::strtod(argv[i + 1], nullptr);
    if (std::strcmp(argv[i], "--seed") == 0) options.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--different-calls") == 0)
      options.different_calls = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--most-bytes") == 0) options.most_bytes = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return options;
}

/// A thread of the application's that has nothing to do with MPI.
class IdleThread {
 public:
  IdleThread() : thread_([this] { wait(); }) {}
  ~IdleThread() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  IdleThread(const IdleThread&) = delete;
  IdleThread& operator=(const IdleThread&) = delete;

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

/// MPI_COMM_WORLD, a duplicate, two parts of it in reversed order, and a duplicate of this part.
std::vector<MPI_Comm> make_communicators(Random& random) {
  const auto parts = static_cast<int>(1 + random.below(3));
  const int rank = laws::rank_in(MPI_COMM_WORLD);
  std::vector<MPI_Comm> made(3, MPI_COMM_NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, made.data());
  MPI_Comm_split(MPI_COMM_WORLD, rank % parts, -rank, &made[1]);
  MPI_Comm_dup(made[1], &made[2]);
  return made;
}

class Soak {
 public:
  explicit Soak(const Options& options) : options_(options), random_(options.seed) {}

  void warm_up() {
    for (std::uint64_t number = 0; number < options_.different_calls; ++number) {
      for (int i = 0; i < calls_ahead; ++i) make_call(MPI_COMM_WORLD, number);
    }
  }

  void phase() {
    std::vector<MPI_Comm> communicators = make_communicators(random_);
    {
      const IdleThread idle;
      for (int i = 0; i < calls_in_phase; ++i) {
        const std::size_t which = random_.below(communicators.size() + 1);
        make_call(which == 0 ? MPI_COMM_WORLD : communicators[which - 1], random_.below(options_.different_calls));
      }
    }
    for (MPI_Comm& communicator : communicators) MPI_Comm_free(&communicator);
    report();
  }

  /// Whether all ranks shall go on: rank 0's clock decides.
  bool goes_on(Clock::time_point begin) {
    int more = std::chrono::duration<double>(Clock::now() - begin).count() < options_.seconds ? 1 : 0;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return more != 0;
  }

  long wrong() const { return wrong_; }

 private:
  /// The call of this number; what it is depends on the size of the communicator.
  void make_call(MPI_Comm communicator, std::uint64_t call_number) {
    Random random(options_.seed * options_.different_calls + call_number);
    const Choice choice{elements_, laws::size_of(communicator), options_.most_bytes, options_.device};
    const Call call = draw_call(random, choice);
    // Parts of the world go different ways: what is drawn here, all of its ranks draw.
    Random beside_it(random_.bits());
    Disturbance disturbance(beside_it, communicator);
    disturbance.before();
    std::string beside;
    bool completed = false;
    const auto complete = [&] {
      beside = disturbance.after();
      completed = true;
    };
    std::string mistake = run_checked(call, communicator, complete);
    if (!completed) complete();
    if (mistake.empty()) mistake = beside;
    if (!mistake.empty() && ++wrong_ <= most_messages) {
      std::fprintf(stderr, "wrong: rank %d, phase %d: %s: %s\n", laws::rank_in(MPI_COMM_WORLD), phases_,
                   call.describe().c_str(), mistake.c_str());
    }
  }

  void report() {
    const auto own = held_now();
    const auto ranks = static_cast<std::size_t>(laws::size_of(MPI_COMM_WORLD));
    std::vector<long> all(ranks * held_count);
    MPI_Gather(own.data(), held_count, MPI_LONG, all.data(), held_count, MPI_LONG, 0, MPI_COMM_WORLD);
    long wrong = 0;
    MPI_Reduce(&wrong_, &wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    ++phases_;
    if (laws::rank_in(MPI_COMM_WORLD) != 0) return;
    std::printf("{\"phase\": %d, \"calls\": %d, \"wrong\": %ld, \"held\": [", phases_, calls_in_phase, wrong);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      std::printf("%s[", rank == 0 ? "" : ", ");
      for (std::size_t i = 0; i < held_count; ++i) std::printf("%s%ld", i == 0 ? "" : ", ", all[rank * held_count + i]);
      std::printf("]");
    }
    std::printf("]}\n");
    std::fflush(stdout);
  }

  Options options_;
  Random random_;
  Elements elements_;
  long wrong_ = 0;
  int phases_ = 0;
};

int run(const Options& options) {
  Soak soak(options);
  soak.warm_up();
  const Clock::time_point begin = Clock::now();
  while (soak.goes_on(begin)) soak.phase();
  return soak.wrong() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::soak

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int status = airamp::soak::run(airamp::soak::read_options(argc, argv));
  MPI_Finalize();
  return status;
}
