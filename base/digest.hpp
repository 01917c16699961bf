// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace airamp::base {

/// Of some numbers, one after the other: FNV-1a, over words instead of bytes, with the upper half mixed in.
class Digest {
 public:
  constexpr void add(std::uint64_t value) noexcept {
    value_ = (value_ ^ value) * 0x100000001b3U;
    value_ ^= value_ >> 32U;
  }
  constexpr void add(double value) noexcept { add(std::bit_cast<std::uint64_t>(value)); }

  /// Not 0.
  constexpr std::uint64_t value() const noexcept { return value_ != 0 ? value_ : 1; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace airamp::base
