// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::codec {

// The row of the formats whose elements are bytes: 496 elements and 16 scales.
//
// The row's elements form two halves of 248; a half is seven blocks of 32 elements and one of 24, each with one scale.
// Bytes 16*l ... 16*l+7 (l = 0 ... 30) hold elements 8*l ... 8*l+7 of the first half, bytes 16*l+8 ... 16*l+15 the
// same of the second half: a lane of a warp owns 16 bytes, a cache line holds one block of either half. Byte 496+2*k
// (k = 0 ... 7) is the scale of block k of the first half, byte 497+2*k of block k of the second. No byte of a row is
// ever 0xff.

inline constexpr std::size_t byte_row_elements = 496;
inline constexpr std::size_t half_row_elements = byte_row_elements / 2;
inline constexpr std::size_t group_elements = 8;   // contiguous elements of one half in a row
inline constexpr std::size_t block_elements = 32;  // elements that share a scale (24 in the last block of a half)
inline constexpr std::size_t row_groups = half_row_elements / group_elements;
inline constexpr std::size_t row_scales = 16;

}  // namespace airamp::codec
