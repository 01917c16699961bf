// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "pola/growing_array.hpp"

namespace airamp::pola {

/// A signature's number in its stream, from 1 in order of first sight; 0 is none.
using Symbol = std::uint16_t;

/// The latest events of a stream. Positions count from 0, the first event.
class EventHistory {
 public:
  static constexpr std::size_t capacity = 4096;  ///< events that are kept

  /// Number of events so far: the position of the next.
  std::size_t end() const { return end_; }

  /// Whether the event at `position` is still, or already, here.
  bool holds(std::size_t position) const { return position < end_ && end_ - position <= capacity; }

  /// The event at a position that is held.
  Symbol at(std::size_t position) const { return symbols_[position & (symbols_.size() - 1)]; }

  /// The event `distance` before the next one, 1 being the latest; 0 where none is held.
  Symbol back(std::size_t distance) const { return holds(end_ - distance) ? at(end_ - distance) : Symbol{0}; }

  /// How many of the latest events, up to `most`, equal those `distance` before.
  std::size_t repeated(std::size_t distance, std::size_t most) const {
    std::size_t length = 0;
    while (length < most && back(length + 1) != 0 && back(length + 1) == back(length + 1 + distance)) ++length;
    return length;
  }

  /// Makes room for one more event. False without memory.
  bool reserve() {
    if (end_ < symbols_.size() || symbols_.size() == capacity) return true;
    return symbols_.grow(symbols_.size() == 0 ? 32 : 2 * symbols_.size());
  }

  /// Appends an event for which there is room.
  void push(Symbol symbol) { symbols_[end_++ & (symbols_.size() - 1)] = symbol; }

 private:
  GrowingArray<Symbol> symbols_;
  std::size_t end_ = 0;
};

}  // namespace airamp::pola
