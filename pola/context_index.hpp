// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pola/event_history.hpp"
#include "pola/growing_array.hpp"
#include "pola/rolling_hash.hpp"
#include "pola/signature.hpp"

namespace airamp::pola {

/// Where the latest few events came last before, by hashes of contexts of several lengths.
class ContextIndex {
 public:
  /// Lengths of the contexts, in events.
  static constexpr std::array<std::size_t, 3> orders = {3, 9, 32};

  /// Makes room for one more event. False without memory.
  bool reserve(const EventHistory& history) {
    const std::size_t size = slots_.size();
    if (history.end() < size || size == max_slots) return true;
    if (!slots_.grow(size == 0 ? 64 : 2 * size)) return false;
    // A context is found in the lower and in the upper half now, whichever its hash asks for.
    for (std::size_t i = 0; i < size; ++i) slots_[size + i] = slots_[i];
    return true;
  }

  /// To be called after each event.
  void update(const EventHistory& history) {
    hashes_.update(history);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      std::uint16_t& slot = slots_[mix(hashes_[i] + i) & (slots_.size() - 1)];
      const std::size_t distance = (history.end() - slot) & 0xffff;
      distances_[i] = history.holds(history.end() - distance) ? distance : 0;
      slot = static_cast<std::uint16_t>(history.end());
    }
  }

  /// How many events ago the latest orders[i] events came last, if the hash is to be believed; 0 if not known.
  std::size_t distance(std::size_t i) const { return distances_[i]; }

 private:
  static constexpr std::size_t max_slots = 1024;

  GrowingArray<std::uint16_t> slots_;  ///< by hash of a context: the position after it, its lowest bits
  RollingHashes<orders> hashes_;
  std::array<std::size_t, orders.size()> distances_{};
};

}  // namespace airamp::pola
