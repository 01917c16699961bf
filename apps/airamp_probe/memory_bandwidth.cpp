// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/memory_bandwidth.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "apps/airamp_probe/processors.hpp"

namespace airamp::probe {
namespace {

using Clock = std::chrono::steady_clock;

/// That one processor copies at once.
constexpr std::size_t largest_copy = std::size_t{64} << 20U;
constexpr std::size_t smallest_copy = std::size_t{4} << 20U;
constexpr int rounds = 5;
constexpr int copies_at_once = 4;

/// Of the fastest round, on these processors together.
double bytes_per_second(const std::vector<int>& processors, std::size_t bytes) {
  std::barrier together(static_cast<std::ptrdiff_t>(processors.size()));
  double best = 0;
  const auto copy = [&](std::size_t place) {
    run_on(processors[place]);
    // Written here first, so that the pages are of this processor's NUMA node.
    const auto from = std::make_unique<std::byte[]>(bytes);
    const auto to = std::make_unique<std::byte[]>(bytes);
    for (int round = 0; round <= rounds; ++round) {
      together.arrive_and_wait();
      const auto begin = Clock::now();
      for (int i = 0; i < copies_at_once; ++i) std::memcpy(to.get(), from.get(), bytes);
      // Who reads what was copied keeps the compiler from leaving the copies out.
      asm volatile("" : : "r"(to.get()) : "memory");
      together.arrive_and_wait();
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      const double copied = static_cast<double>(bytes) * copies_at_once * static_cast<double>(processors.size());
      // The first round gets the pages.
      if (place == 0 && round > 0) best = std::max(best, copied / seconds);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t place = 0; place < processors.size(); ++place) threads.emplace_back(copy, place);
  }
  return best;
}

}  // namespace

MemoryBandwidth measure_memory_bandwidth(std::uint64_t most_bytes) {
  const std::vector<int> processors = own_processors();
  MemoryBandwidth answer{.processors = static_cast<int>(processors.size())};
  if (processors.empty()) {
    answer.trouble = "the kernel does not say which processors may be used";
    return answer;
  }
  const std::size_t bytes = std::min<std::size_t>(most_bytes / 2 / processors.size(), largest_copy);
  if (bytes < smallest_copy) {
    answer.trouble = "there is too little memory to measure on " + std::to_string(processors.size()) + " processors";
    return answer;
  }
  answer.one_processor = bytes_per_second({processors.front()}, bytes);
  answer.all_processors = bytes_per_second(processors, bytes);
  return answer;
}

}  // namespace airamp::probe
