// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Whether a word of it (64 bits, if `wide`) has not arrived.
template <bool wide>
AIRAMP_DEVICE bool has_hole(const Vector& v) {
  if constexpr (wide) return (v.word[0] & v.word[1]) == hole_word || (v.word[2] & v.word[3]) == hole_word;
  return v.word[0] == hole_word || v.word[1] == hole_word || v.word[2] == hole_word || v.word[3] == hole_word;
}

AIRAMP_DEVICE Vector all_holes() { return Vector{{hole_word, hole_word, hole_word, hole_word}}; }

}  // namespace airamp::gpu::device
