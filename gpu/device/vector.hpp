// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::gpu::device {

/// What one lane loads or stores at once: 16 bytes.
struct alignas(16) Vector {
  std::uint32_t word[4];
};

/// What nobody sends; regions are full of it where nothing has arrived.
inline constexpr std::uint32_t hole_word = 0xffffffffu;

/// Rows of which any bits are legal (any_bits.hpp): the bits of each word that are turned over on the wire, and what
/// travels in place of what would look like a hole.
inline constexpr std::uint32_t turned_bits = 0x5a17c3e9u;
inline constexpr std::uint32_t escape_word = hole_word - 1;

/// In place of lane 0's last word (narrow_rows.hpp): one plane travels; likewise two and three.
inline constexpr std::uint32_t first_mark = escape_word - 3;

}  // namespace airamp::gpu::device
