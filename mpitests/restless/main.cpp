// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// restless_patterns [--turns N | --seconds S] [--seed N] [--threads N] [--device] [--sums] [--most-bytes N]: time steps
// of random collectives, made again and again on communicators that come and go, in N turns (60) or until S seconds
// have passed. Each of N threads has communicators of its own. In between one of its calls has another length, a step
// is left for another one, a call is made that is not part of it, a rank is switched off by MPI_Pcontrol, the policy of
// a communicator is changed. All results are compared with what each rank works out by itself, and with --sums those of
// sums of any numbers with the MPI library's own. Ends with status 1 if one was wrong. For 2 to 8 ranks.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/restless/sums.hpp"
#include "mpitests/soak/checked_run.hpp"
#include "mpitests/soak/disturbance.hpp"

namespace airamp::restless {
namespace {

using differential::Random;
using laws::rank_in;
using laws::size_of;
using soak::Call;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t most_calls_in_step = 4;
constexpr std::uint64_t most_repetitions = 60;
constexpr std::size_t communicators = 5;
constexpr int most_messages = 5;

struct Options {
  std::uint64_t turns = 60;
  double seconds = 0;  ///< not 0: for so long instead
  std::uint64_t seed = 1;
  std::uint64_t threads = 1;
  std::size_t most_bytes = std::size_t{1} << 14U;
  bool device = false;
  bool sums = false;
};

std::atomic<long> wrong{0};

/// A communicator with the time step that is made on it.
struct Place {
  MPI_Comm communicator = MPI_COMM_NULL;
  std::vector<Call> step;
};

/// What one thread does, the same on all ranks but for what a rank says of itself.
class Walk {
 public:
  /// `world`: this thread's own.
  Walk(const Options& options, std::uint64_t thread, MPI_Comm world)
      : options_(options), random_(options.seed + 1000 * thread), world_(world), places_(communicators) {
    for (Place& place : places_) begin(place);
  }
  ~Walk() {
    for (Place& place : places_) MPI_Comm_free(&place.communicator);
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  void turn() {
    Place& place = places_[random_.below(places_.size())];
    switch (random_.below(20)) {
      case 0:
        MPI_Comm_free(&place.communicator);
        return begin(place);
      case 1:
        return draw_step(place);
      case 2:
        return change_policy(place.communicator);
      case 3:
        return make(draw(place.communicator), place.communicator);
      case 4:
        return make_with_one_switched_off(place);
      case 5:
      case 6:
        if (options_.sums) note(repeat_sum(random_, place.communicator), place.communicator);
        return;
      default:
        return make_steps(place, 1 + random_.below(most_repetitions));
    }
  }

 private:
  void begin(Place& place) {
    const int rank = rank_in(world_);
    const int parts = size_of(world_) < 4 ? 1 : 1 + static_cast<int>(random_.below(2));
    if (random_.chance(0.5)) {
      MPI_Comm_dup(world_, &place.communicator);
    } else {
      MPI_Comm_split(world_, rank % parts, -rank, &place.communicator);
    }
    draw_step(place);
  }

  /// Ranks of other communicators draw other calls, and the same number from `random_`.
  Call draw(MPI_Comm communicator) {
    Random random(random_.bits());
    const soak::Choice choice{elements_, size_of(communicator), options_.most_bytes, options_.device};
    Call call;
    do {
      call = soak::draw_call(random, choice);
    } while (call.kind == soak::Kind::iallreduce || call.kind == soak::Kind::ibcast);  // of which nothing is decided
    return call;
  }

  void draw_step(Place& place) {
    const std::uint64_t calls = 1 + random_.below(most_calls_in_step);
    place.step.clear();
    while (place.step.size() < calls) place.step.push_back(draw(place.communicator));
  }

  /// As it is now and then: what is known of the one is then older than what is known of the other.
  Call shorter(Call call) {
    call.count -= std::min(call.count, 1 + static_cast<int>(random_.below(3)));
    return call;
  }

  void make_steps(const Place& place, std::uint64_t repetitions) {
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      for (const Call& call : place.step) {
        make(call, place.communicator);
        if (random_.chance(0.05)) make(shorter(call), place.communicator);
      }
    }
  }

  void make_with_one_switched_off(const Place& place) {
    const auto switched_off = static_cast<int>(random_.below(8));
    if (rank_in(place.communicator) == switched_off) MPI_Pcontrol(0);
    make_steps(place, 1 + random_.below(4));
    if (rank_in(place.communicator) == switched_off) MPI_Pcontrol(1);
  }

  void change_policy(MPI_Comm communicator) {
    constexpr std::array<std::pair<const char*, const char*>, 8> policies = {{{"airamp_force", "none"},
                                                                              {"airamp_force", "none"},
                                                                              {"airamp_force", "shared-memory"},
                                                                              {"airamp_force", "mpi-two-shot"},
                                                                              {"airamp_compress", "true"},
                                                                              {"airamp_compress", "false"},
                                                                              {"airamp_pola", "true"},
                                                                              {"airamp_pola", "false"}}};
    const auto& [key, value] = policies[random_.below(policies.size())];
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    MPI_Comm_set_info(communicator, info);
    MPI_Info_free(&info);
  }

  void make(const Call& call, MPI_Comm communicator) {
    Random beside_it(random_.bits());
    // Most steps follow each other at once, for late ranks close the meetings of calls with a root.
    std::optional<soak::Disturbance> disturbance;
    if (beside_it.chance(0.1)) disturbance.emplace(beside_it, communicator);
    if (disturbance) disturbance->before();
    std::string mistake = soak::run_checked(call, communicator, [] {});
    const std::string beside = disturbance ? disturbance->after() : std::string();
    if (mistake.empty()) mistake = beside;
    note(mistake.empty() ? "" : call.describe() + ": " + mistake, communicator);
  }

  static void note(const std::string& mistake, MPI_Comm communicator) {
    if (mistake.empty() || ++wrong > most_messages) return;
    std::fprintf(stderr, "wrong: rank %d of %d: %s\n", rank_in(communicator), size_of(communicator), mistake.c_str());
  }

  Options options_;
  Random random_;
  MPI_Comm world_;
  soak::Elements elements_;
  std::vector<Place> places_;
};

void work(const Options& options, std::uint64_t thread, MPI_Comm world) {
  Walk walk(options, thread, world);
  const Clock::time_point begin = Clock::now();
  if (options.seconds == 0) {
    for (std::uint64_t turn = 0; turn < options.turns; ++turn) walk.turn();
    return;
  }
  for (int more = 1; more != 0;) {
    walk.turn();
    more = std::chrono::duration<double>(Clock::now() - begin).count() < options.seconds ? 1 : 0;
    MPI_Bcast(&more, 1, MPI_INT, 0, world);  // rank 0's clock decides
  }
}

int run(const Options& options) {
  std::vector<MPI_Comm> worlds(options.threads, MPI_COMM_NULL);
  for (MPI_Comm& world : worlds) MPI_Comm_dup(MPI_COMM_WORLD, &world);
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 1; thread < options.threads; ++thread)
    threads.emplace_back(work, options, thread, worlds[thread]);
  work(options, 0, worlds[0]);
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& world : worlds) MPI_Comm_free(&world);
  return wrong == 0 ? 0 : 1;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--device") == 0) options.device = true;
    if (std::strcmp(argv[i], "--sums") == 0) options.sums = true;
    if (i + 1 == argc) break;
    if (std::strcmp(argv[i], "--turns") == 0) options.turns = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seconds") == 0) options.seconds = std::strtod(argv[i + 1], nullptr);
    if (std::strcmp(argv[i], "--seed") == 0) options.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--threads") == 0) options.threads = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--most-bytes") == 0) options.most_bytes = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return options;
}

}  // namespace
}  // namespace airamp::restless

int main(int argc, char** argv) {
  const airamp::restless::Options options = airamp::restless::read_options(argc, argv);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
  const int status = airamp::restless::run(options);
  MPI_Finalize();
  return status;
}
