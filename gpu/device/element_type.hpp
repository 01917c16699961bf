// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The elements of a lane's vectors as binary32 numbers.
#pragma once

#include <cstdint>

#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// The elements of one vector; exact. `values`: 8 of a 16-bit type, 4 of float32.
template <ElementType type>
AIRAMP_DEVICE void to_floats(const Vector& vector, float* values) {
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) {
    if constexpr (type == ElementType::float32) {
      values[i] = float_of_bits(vector.word[i]);
    } else if constexpr (type == ElementType::float16) {
      float16_to_float(vector.word[i], values[2 * i], values[2 * i + 1]);
    } else {
      values[2 * i] = float_of_bits(vector.word[i] << 16);
      values[2 * i + 1] = float_of_bits(vector.word[i] & 0xffff0000u);
    }
  }
}

/// Rounds to nearest even. NaN becomes some NaN.
template <ElementType type>
AIRAMP_DEVICE Vector from_floats(const float* values) {
  Vector vector;
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) {
    if constexpr (type == ElementType::float32) {
      vector.word[i] = bits_of(values[i]);
    } else if constexpr (type == ElementType::float16) {
      vector.word[i] = float_to_float16(values[2 * i], values[2 * i + 1]);
    } else {
      vector.word[i] = float_to_bfloat16(values[2 * i], values[2 * i + 1]);
    }
  }
  return vector;
}

/// Gives every NaN the bits of the quiet NaN that decoding yields.
template <ElementType type>
AIRAMP_DEVICE void make_nans_quiet(Vector& vector) {
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) {
    std::uint32_t& word = vector.word[i];
    if constexpr (type == ElementType::float32) {
      if ((word & 0x7fffffffu) > 0x7f800000u) word = codec::quiet_nan_float32;
    } else {
      constexpr std::uint32_t infinity = type == ElementType::float16 ? 0x7c00u : 0x7f80u;
      constexpr std::uint32_t nan = type == ElementType::float16 ? codec::quiet_nan_float16 : codec::quiet_nan_bfloat16;
      if ((word & 0x7fffu) > infinity) word = (word & 0xffff0000u) | nan;
      if ((word >> 16 & 0x7fffu) > infinity) word = (word & 0xffffu) | nan << 16;
    }
  }
}

}  // namespace airamp::gpu::device
