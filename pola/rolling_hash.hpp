// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pola/event_history.hpp"

namespace airamp::pola {

/// Hashes of the latest events, of several numbers of them, kept up to date event by event: polynomials modulo 2^64
/// (Karp, Rabin, IBM Journal 1987).
template <const auto& Lengths>
class RollingHashes {
 public:
  static constexpr std::size_t count = Lengths.size();

  /// To be called after each event.
  void update(const EventHistory& history) {
    const std::uint64_t latest = history.back(1);
    for (std::size_t i = 0; i < count; ++i) {
      values_[i] = values_[i] * base + latest - history.back(Lengths[i] + 1) * powers[i];
    }
  }

  std::uint64_t operator[](std::size_t i) const { return values_[i]; }

 private:
  static constexpr std::uint64_t base = 0x9e3779b97f4a7c15U;
  static constexpr auto powers = [] {
    std::array<std::uint64_t, count> result{};
    for (std::size_t i = 0; i < count; ++i) {
      result[i] = 1;
      for (std::size_t k = 0; k < Lengths[i]; ++k) result[i] *= base;
    }
    return result;
  }();

  std::array<std::uint64_t, count> values_{};
};

}  // namespace airamp::pola
