// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "testing/mix.hpp"

namespace airamp::device_tests {

/// What ranks put into a call, and what is expected of it. Floating-point numbers are small enough for sums and
/// products over five ranks to have few bits; integers are any of their type.
class Numbers {
 public:
  explicit Numbers(const Call& call);

  /// Element `index` of what `rank` puts in.
  std::int64_t of(int rank, std::size_t index) const;

  /// The numbers of the first `ranks` ranks at `index`, reduced; integers wrap.
  std::int64_t reduced(int ranks, std::size_t index) const;

  /// Writes a number as element `index`.
  void store(std::int64_t number, std::byte* data, std::size_t index) const;

 private:
  enum class Range : std::uint8_t { small, one_or_two, bits };

  Format format_;
  std::size_t bytes_;
  Meaning meaning_;
  Range range_;
  unsigned unused_bits_;  ///< of 64 random ones, above those that the number has
  bool has_sign_;
  std::uint64_t round_;
};

inline std::int64_t Numbers::of(int rank, std::size_t index) const {
  const std::uint64_t bits = testing::mix(round_ ^ (static_cast<std::uint64_t>(rank) << 38U) ^ index);
  if (range_ == Range::small) return static_cast<std::int64_t>(bits % 5) - 2;
  if (range_ == Range::one_or_two) {
    const std::int64_t magnitude = bits % 2 == 0 ? 1 : 2;
    return bits % 3 == 0 ? -magnitude : magnitude;
  }
  const std::uint64_t above = bits << unused_bits_;
  return has_sign_ ? static_cast<std::int64_t>(above) >> unused_bits_
                   : static_cast<std::int64_t>(above >> unused_bits_);
}

}  // namespace airamp::device_tests
