// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "pola/event_history.hpp"
#include "pola/growing_array.hpp"

namespace airamp::pola {

/// Tells a pattern from a random sequence that is easy to guess.
///
/// Nine out of ten right predictions say nothing of a coin that falls on one side nine times out of ten. So each
/// prediction is weighed against a source without memory that draws each symbol as often as the latest 512 events had
/// it: a hit on a symbol of frequency q multiplies the odds by (a + (1 - a) q) / q, a miss by 1 - a, where a = 0.95.
/// Under such a source these odds are a martingale, so they ever exceed 2^30 with a chance of at most 2^-30 (Ville,
/// 1939); they are not let below 1, as in Page's CUSUM test (Biometrika 1954). A sequence that hardly ever changes
/// gains no odds in this way: it has to go on without a miss for much longer.
class LockEvidence {
 public:
  static constexpr std::size_t window = 512;

  /// Makes room for the counts of `symbols` symbols. False without memory.
  bool reserve(std::size_t symbols) { return counts_.size() > symbols || counts_.grow(symbols + 1); }

  /// Weighs the prediction of `symbol`, that came at the end of `history`, which does not hold it yet.
  void weigh(const EventHistory& history, Symbol symbol, bool hit) {
    ++events_;
    if (hit) {
      const std::size_t known = std::min(history.end(), window);
      const std::size_t often = counts_[symbol] + 2U;
      const int gain = log2(19 * (known + 2) + often) - log2(20 * often);
      odds_ = std::min(odds_ + gain, max_odds);
    } else {
      odds_ = std::max(odds_ - loss, 0);
      ++misses_;
      for (std::size_t i = remembered_misses - 1; i > 0; --i) miss_at_[i] = miss_at_[i - 1];
      miss_at_[0] = events_;
    }
    if (history.holds(history.end() - window)) --counts_[history.back(window)];
    ++counts_[symbol];
  }

  /// Forgets the evidence, not the frequencies.
  void reset() { odds_ = 0; }

  /// Whether a source without memory is out of the question.
  bool beyond_chance() const { return odds_ >= 30 * one; }

  /// Whether there was so little to be wrong about that the sequence may be called constant.
  bool constant(std::size_t lock_events) const {
    const std::uint64_t since_last = events_ - miss_at_[0];
    if (misses_ <= remembered_misses + 1 && since_last >= 4 * lock_events) return true;
    return events_ - miss_at_[remembered_misses - 1] >= 8 * lock_events;
  }

  /// How often the symbol came in the window.
  std::size_t count(Symbol symbol) const { return symbol < counts_.size() ? counts_[symbol] : 0; }

 private:
  static constexpr int one = 1024;   ///< one bit
  static constexpr int loss = 4426;  ///< -log2(1 - a)
  static constexpr int max_odds = 40 * one;
  static constexpr std::size_t remembered_misses = 3;

  /// Logarithm in units of 1/1024, within 10 of them.
  static int log2(std::size_t value) {
    const int exponent = static_cast<int>(std::bit_width(value)) - 1;
    const auto fraction = static_cast<int>(((value << 10) >> exponent) - 1024);
    return exponent * one + fraction + (fraction * (1024 - fraction) * 11 >> 15);
  }

  GrowingArray<std::uint16_t> counts_;
  int odds_ = 0;  ///< their logarithm
  std::uint64_t events_ = 0;
  std::uint64_t misses_ = 0;
  std::uint64_t miss_at_[remembered_misses] = {};
};

}  // namespace airamp::pola
