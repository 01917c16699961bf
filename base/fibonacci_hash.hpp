// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace airamp::base {

/// Spreads keys that follow each other, or differ by a multiple of some power of two: 2^64 times the golden ratio,
/// times the key. Its upper bits are the spread ones (Knuth, The Art of Computer Programming, volume 3, section 6.4).
constexpr std::uint64_t fibonacci_hash(std::uint64_t key) noexcept { return key * 0x9e3779b97f4a7c15U; }

/// Where such a key goes in a table of so many places, from 2 on.
template <std::size_t places>
constexpr std::size_t place_by_hash(std::uint64_t key) noexcept {
  static_assert(places > 1 && std::has_single_bit(places));
  return static_cast<std::size_t>(fibonacci_hash(key) >> (64 - std::countr_zero(places)));
}

}  // namespace airamp::base
