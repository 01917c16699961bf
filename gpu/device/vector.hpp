// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::gpu::device {

/// What one lane loads or stores at once: 16 bytes.
struct alignas(16) Vector {
  std::uint32_t word[4];
};

/// Half of it, where a lane's elements lie so far apart.
struct alignas(8) HalfVector {
  std::uint32_t word[2];
};

/// What nobody sends; regions are full of it where nothing has arrived.
inline constexpr std::uint32_t hole_word = 0xffffffffu;

/// Rows of which any bits are legal (any_bits.hpp): the bits of each word that are turned over on the wire, and what
/// travels in place of what would look like a hole.
inline constexpr std::uint32_t turned_bits = 0x5a17c3e9u;
inline constexpr std::uint32_t escape_word = hole_word - 1;

/// A word of lane 0 from here on, but for a hole, is the mark of a row of floating-point numbers that does not travel
/// whole (short_rows.hpp): in any of their types it begins with a NaN.
inline constexpr std::uint32_t first_mark = 0xffff0000u;

/// The first bits of the 32 lanes' first words where of a row of integers one, two or three planes travel
/// (narrow_rows.hpp). Lane 0's is 0 in all of them, which an escape there is not.
constexpr std::uint32_t plane_signature(int planes) {
  return planes == 1 ? 0x5d3a91c6u : planes == 2 ? 0xa6c4572eu : 0x39e8b5d2u;
}

}  // namespace airamp::gpu::device
