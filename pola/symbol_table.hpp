// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "pola/event_history.hpp"
#include "pola/growing_array.hpp"
#include "pola/signature.hpp"

namespace airamp::pola {

/// Numbers the signatures of a stream. Full at 1023: later ones are Symbol 0, which is never predicted.
class SymbolTable {
 public:
  static constexpr std::size_t capacity = 1023;

  /// The symbol of a signature; 0 if it has none.
  Symbol find(Signature signature) const { return slots_.size() == 0 ? Symbol{0} : slots_[slot_of(signature)]; }

  /// As find(), after giving it a symbol if there is one left.
  Symbol find_or_add(Signature signature) {
    const std::size_t slot = slot_of(signature);
    if (slots_[slot] == 0 && count_ < capacity) {
      signatures_[count_] = signature;
      slots_[slot] = static_cast<Symbol>(++count_);
    }
    return slots_[slot];
  }

  /// Of a symbol other than 0.
  Signature signature(Symbol symbol) const { return signatures_[symbol - 1U]; }

  /// Symbols that there is room for.
  std::size_t room() const { return signatures_.size(); }

  /// Makes room for one more signature. False without memory.
  bool reserve() {
    if (count_ < signatures_.size() || count_ == capacity) return true;
    const std::size_t room = signatures_.size() == 0 ? 7 : 2 * signatures_.size() + 1;
    GrowingArray<Symbol> slots;
    if (!slots.grow(2 * (room + 1)) || !signatures_.grow(room)) return false;
    slots_ = std::move(slots);
    for (std::size_t i = 0; i < count_; ++i) slots_[slot_of(signatures_[i])] = static_cast<Symbol>(i + 1);
    return true;
  }

 private:
  /// Where the signature is, or would be.
  std::size_t slot_of(Signature signature) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = mix(signature) & mask;
    while (slots_[slot] != 0 && signatures_[slots_[slot] - 1U] != signature) slot = (slot + 1) & mask;
    return slot;
  }

  GrowingArray<Signature> signatures_;
  GrowingArray<Symbol> slots_;  ///< twice as many as signatures, so that at least half are empty
  std::size_t count_ = 0;
};

}  // namespace airamp::pola
