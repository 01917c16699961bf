// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// When a warp tries to shorten the rows that it sends. To find that rows do not fit takes time, and rows of one vector
/// are mostly alike: after tiles none of whose rows fitted, as many are sent whole untried, though only so many that a
/// stretch of other numbers is not missed. A single tile that does not fit changes nothing. How a row travels is said
/// by the row, so nobody else need know.
class Attempts {
 public:
  /// Tiles that are sent untried, at most.
  static constexpr std::uint32_t longest_pause = 31;

  /// Whether to try the next tile: after 0, 1, 2, 4, 8, ... that were sent whole.
  AIRAMP_DEVICE bool is_due() const { return (whole_ & (whole_ - 1)) == 0; }

  /// A tile that was not due was sent whole.
  AIRAMP_DEVICE void note_pause() { ++whole_; }

  /// Whether any row of a tile that was due is short.
  AIRAMP_DEVICE void note(bool is_short) {
    whole_ = is_short ? 0 : whole_ == last_due ? last_due - longest_pause : whole_ + 1;
  }

 private:
  static constexpr std::uint32_t last_due = 2 * (longest_pause + 1);

  std::uint32_t whole_ = 0;  ///< one after the other, as far as it matters
};

}  // namespace airamp::gpu::device
