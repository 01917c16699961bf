// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/flag_latency.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <thread>

#include "apps/airamp_probe/processors.hpp"

namespace airamp::probe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t all_pairs_of = 12;
constexpr int batches = 20;
constexpr int round_trips = 200;
constexpr double longest_seconds = 15;
constexpr int stop = -1;

/// Cache lines are fetched in pairs.
struct Flags {
  alignas(128) std::atomic<int> there{0};
  alignas(128) std::atomic<int> back{0};
};

void answer_flags(int processor, Flags& flags) {
  run_on(processor);
  for (int seen = 0; seen != stop;) {
    const int now = flags.there.load(std::memory_order_acquire);
    if (now == seen) continue;
    seen = now;
    flags.back.store(now, std::memory_order_release);
  }
}

/// One way, in seconds: of the fastest batch, for others may use the processors too.
double latency(int first, int second) {
  Flags flags;
  double best = std::numeric_limits<double>::infinity();
  std::thread asking([&] {
    run_on(first);
    const std::jthread answering([&] { answer_flags(second, flags); });
    int number = 0;
    for (int batch = 0; batch < batches; ++batch) {
      const auto begin = Clock::now();
      for (int i = 0; i < round_trips; ++i) {
        flags.there.store(++number, std::memory_order_release);
        while (flags.back.load(std::memory_order_acquire) != number) continue;
      }
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      best = std::min(best, seconds / (2 * round_trips));
    }
    flags.there.store(stop, std::memory_order_release);
  });
  asking.join();
  return best;
}

}  // namespace

std::vector<std::pair<int, int>> flag_pairs(const std::vector<int>& processors) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    for (std::size_t j = i + 1; j < processors.size(); ++j) {
      if (processors.size() <= all_pairs_of || i == 0 || j == i + 1) pairs.emplace_back(processors[i], processors[j]);
    }
  }
  return pairs;
}

FlagLatency measure_flag_latency() {
  FlagLatency answer;
  const std::vector<std::pair<int, int>> pairs = flag_pairs(own_processors());
  if (pairs.empty()) answer.trouble = "there is one processor alone";
  const auto begin = Clock::now();
  for (const auto& [first, second] : pairs) {
    if (std::chrono::duration<double>(Clock::now() - begin).count() > longest_seconds) break;
    answer.pairs.push_back({first, second, latency(first, second)});
  }
  return answer;
}

}  // namespace airamp::probe
