// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// The upper halves of a lane's float32 or float64 numbers, in two words. Of small whole numbers, and of what was a
/// shorter type, they are all that is not 0.
template <int element_bytes>
struct UpperHalves {
  std::uint32_t word[2];

  static AIRAMP_DEVICE UpperHalves of(const Vector& v) {
    if constexpr (element_bytes == 8)
      return {{v.word[1], v.word[3]}};
    else
      return {{v.word[0] >> 16 | (v.word[1] & 0xffff0000u), v.word[2] >> 16 | (v.word[3] & 0xffff0000u)}};
  }

  AIRAMP_DEVICE Vector vector() const {
    if constexpr (element_bytes == 8)
      return {{0, word[0], 0, word[1]}};
    else
      return {{word[0] << 16, word[0] & 0xffff0000u, word[1] << 16, word[1] & 0xffff0000u}};
  }
};

}  // namespace airamp::gpu::device
