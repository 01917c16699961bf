// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace airamp::telemetry {

/// Chooses which calls of each function are timed. To read the clock twice takes as long as a short call, so all calls
/// are timed where they follow each other slowly enough, and of others one in up to 64, which stands for those before
/// it: as many as keep the clock's share of the time under a 256th. Sums are right in the mean, and never more than the
/// time that has passed. Times are of one clock in any unit, `reading` is how long it takes to read it twice.
/// `passes` is thread-safe, `add` is for one thread. Zero-initialised; no allocation, no system call.
template <std::size_t Functions>
class SampledTimes {
 public:
  static constexpr std::uint64_t readings_apart = 256;  ///< timed calls, at least, in the mean
  static constexpr std::uint64_t most_untimed = 63;     ///< calls between two of those, in the mean

  /// Whether this call is one that is not timed. True only behind a call that was added or `pass_most`.
  bool passes(std::size_t function) noexcept {
    std::atomic<std::uint32_t>& left = rates_[function].untimed_left;
    const std::uint32_t calls = left.load(std::memory_order_relaxed);
    if (calls == 0) return false;
    left.store(calls - 1, std::memory_order_relaxed);
    return true;
  }

  /// Nothing is timed now: as many calls as may be pass before the next one is asked about. Thread-safe.
  void pass_most(std::size_t function) noexcept {
    rates_[function].untimed_left.store(most_untimed, std::memory_order_relaxed);
  }

  /// A timed call is over. Returns what is to be added to the sum of its function.
  std::uint64_t add(std::size_t function, std::uint64_t entered, std::uint64_t left, std::uint64_t reading) noexcept {
    Rate& rate = rates_[function];
    if (first_entered_ == 0) latest_left_ = first_entered_ = entered;
    if (rate.last_left == 0) begin(rate, entered, reading);
    const std::uint64_t calls = rate.untimed + 1;
    rate.owed += (left - entered) * calls;

    // Two processors' clocks may differ by some ticks.
    latest_left_ = std::max(latest_left_, left);
    rate.time += latest_left_ - rate.last_left - rate.time / memory;
    rate.calls += calls * memory - rate.calls / memory;
    rate.last_left = latest_left_;
    choose_next(rate, reading);

    const std::uint64_t given = std::min(rate.owed, latest_left_ - first_entered_ - given_);
    rate.owed -= given;
    given_ += given;
    return given;
  }

 private:
  /// So many timed calls are remembered, each one less than the next.
  static constexpr std::uint64_t memory = 256;

  struct Rate {
    std::atomic<std::uint32_t> untimed_left{0};
    std::uint32_t untimed = 0;    ///< calls since the last timed one, once the next is timed
    std::uint64_t last_left = 0;  ///< when the last timed one was over
    std::uint64_t time = 0;       ///< that the remembered calls took, with what was between them
    std::uint64_t calls = 0;      ///< how many those are, times `memory`
    std::uint64_t owed = 0;       ///< not in the sum yet, since more time would have passed than has
  };

  /// As if all calls had been far enough apart: of a few, none is missed.
  static void begin(Rate& rate, std::uint64_t now, std::uint64_t reading) noexcept {
    rate.last_left = now;
    rate.time = memory * reading * readings_apart;
    rate.calls = memory * memory;
  }

  /// By chance, since in a loop of several calls the same one would else be timed each time.
  void choose_next(Rate& rate, std::uint64_t reading) noexcept {
    const std::uint64_t period = std::max<std::uint64_t>(rate.time * memory / rate.calls, 1);
    const std::uint64_t wanted = std::clamp<std::uint64_t>(reading * readings_apart / period, 1, most_untimed + 1) - 1;
    chance_ = chance_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's generator, MMIX
    rate.untimed = static_cast<std::uint32_t>(wanted / 2 + (chance_ >> 33U) % (wanted + 1));
    rate.untimed_left.store(rate.untimed, std::memory_order_relaxed);
  }

  std::array<Rate, Functions> rates_{};
  std::uint64_t first_entered_ = 0;
  std::uint64_t latest_left_ = 0;
  std::uint64_t given_ = 0;  ///< to all sums
  std::uint64_t chance_ = 0;
};

}  // namespace airamp::telemetry
