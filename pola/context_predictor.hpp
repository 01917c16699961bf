// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pola/event_history.hpp"
#include "pola/growing_array.hpp"
#include "pola/prediction.hpp"
#include "pola/rolling_hash.hpp"

namespace airamp::pola {

/// Predicts from what followed the latest events before: contexts of several lengths, the tables of an ITTAGE branch
/// predictor (Seznec, Michaud, "A case for (partially) tagged geometric history length branch prediction", JILP 2006).
/// A longer context is remembered only where the shorter ones have failed, which keeps regular streams small; and the
/// context that speaks is the one whose like has been right most often, not simply the longest.
class ContextPredictor {
 public:
  /// Lengths of the contexts, in events.
  static constexpr std::array<std::size_t, 6> orders = {1, 2, 4, 8, 16, 32};

  /// Makes room for the entries of one more event. False without memory.
  bool reserve();

  /// Learns that `symbol` came at the end of `history`, which does not hold it yet.
  void learn(Symbol symbol);

  /// Predicts what comes after `history`, to which the learnt symbol has been added.
  Prediction predict(const EventHistory& history);

  /// A hash of the latest four events.
  std::uint64_t place() const { return hashes_[2]; }

 private:
  /// What came after a context.
  struct Entry {
    std::uint32_t context = 0;  ///< its hash; 0 is none
    Symbol symbol = 0;
    std::uint8_t confidence = 0;  ///< how often it was right of late
  };
  static constexpr std::size_t bucket_entries = 4;
  static constexpr std::size_t max_entries = 4096;
  static constexpr std::uint8_t max_confidence = 7;

  Entry* find(std::uint32_t context);
  void insert(std::uint32_t context, Symbol symbol);

  GrowingArray<Entry> entries_;
  std::size_t used_ = 0;
  RollingHashes<orders> hashes_;
  std::array<std::uint32_t, orders.size()> contexts_{};
  std::array<Entry*, orders.size()> found_{};
  std::array<std::array<Reliability, max_confidence + 1>, orders.size()> reliability_{};
};

}  // namespace airamp::pola
