// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Tiles of the application's buffers, between memory and registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// The vector that begins at element `first`; zeros from element `end` on. For buffers that are aligned to their
/// elements.
template <class Unit>
AIRAMP_DEVICE_OUT_OF_LINE Vector load_part(const std::byte* buffer, std::uint64_t first, std::uint64_t end) {
  constexpr int count = 16 / sizeof(Unit);
  constexpr int per_word = sizeof(Unit) < 4 ? 4 / sizeof(Unit) : 1;
  const Unit* from = reinterpret_cast<const Unit*>(buffer) + first;
  Vector vector = {};
  AIRAMP_UNROLL
  for (int i = 0; i < count; ++i) {
    const Unit element = first + i < end ? from[i] : Unit{0};
    if constexpr (sizeof(Unit) == 8) {
      vector.word[2 * i] = static_cast<std::uint32_t>(element);
      vector.word[2 * i + 1] = static_cast<std::uint32_t>(element >> 32);
    } else {
      vector.word[i / per_word] |= static_cast<std::uint32_t>(element) << (8 * sizeof(Unit) * (i % per_word));
    }
  }
  return vector;
}

/// Stores the vector's elements from element `first` on, but none from `end` on.
template <class Unit>
AIRAMP_DEVICE_OUT_OF_LINE void store_part(std::byte* buffer, std::uint64_t first, std::uint64_t end, Vector vector) {
  constexpr int count = 16 / sizeof(Unit);
  constexpr int per_word = sizeof(Unit) < 4 ? 4 / sizeof(Unit) : 1;
  Unit* to = reinterpret_cast<Unit*>(buffer) + first;
  AIRAMP_UNROLL
  for (int i = 0; i < count; ++i) {
    if (first + i >= end) return;
    if constexpr (sizeof(Unit) == 8)
      to[i] = vector.word[2 * i] | static_cast<std::uint64_t>(vector.word[2 * i + 1]) << 32;
    else
      to[i] = static_cast<Unit>(vector.word[i / per_word] >> (8 * sizeof(Unit) * (i % per_word)));
  }
}

/// Where a lane's vector begins in a tile of several rows.
template <class Codec>
AIRAMP_DEVICE int tile_offset(int vector) {
  return vector / Codec::vectors * Codec::row_elements + Codec::offset(vector % Codec::vectors);
}

/// The lane's vectors of the tile of `rows` rows at element `first`; zeros from element `end` on and in lanes that
/// carry no elements. `aligned`: the tile begins at a multiple of 16 bytes.
template <class Codec, int rows>
AIRAMP_DEVICE void load_tile(Vector* vectors, const std::byte* buffer, std::uint64_t first, std::uint64_t end,
                             bool aligned) {
  using Unit = typename Codec::Unit;
  AIRAMP_UNROLL
  for (int i = 0; i < rows * Codec::vectors; ++i) vectors[i] = Vector{};
  if (Codec::data_lanes < 32 && lane_index() >= Codec::data_lanes) return;
  if (aligned && first + rows * Codec::row_elements <= end) {
    const auto* tile = reinterpret_cast<const Unit*>(buffer) + first;
    AIRAMP_UNROLL
    for (int i = 0; i < rows * Codec::vectors; ++i)
      vectors[i] = load_input(reinterpret_cast<const Vector*>(tile + tile_offset<Codec>(i)));
  } else if (first < end) {
    AIRAMP_UNROLL
    for (int i = 0; i < rows * Codec::vectors; ++i)
      vectors[i] = load_part<Unit>(buffer, first + tile_offset<Codec>(i), end);
  }
}

/// The lane's vectors of a tile as the codec's rows.
template <class Codec, int rows>
AIRAMP_DEVICE void encode_tile(Vector* row, const Vector* vectors) {
  AIRAMP_UNROLL
  for (int u = 0; u < rows; ++u) row[u] = Codec::encode(vectors + u * Codec::vectors);
}

/// The reverse, for one row: `first` is the row's first element.
template <class Codec>
AIRAMP_DEVICE void store_row(const Vector* vectors, std::byte* buffer, std::uint64_t first, std::uint64_t end,
                             bool aligned) {
  using Unit = typename Codec::Unit;
  if (Codec::data_lanes < 32 && lane_index() >= Codec::data_lanes) return;
  if (aligned && first + Codec::row_elements <= end) {
    auto* row = reinterpret_cast<Unit*>(buffer) + first;
    AIRAMP_UNROLL
    for (int i = 0; i < Codec::vectors; ++i)
      store_output(reinterpret_cast<Vector*>(row + Codec::offset(i)), vectors[i]);
  } else if (first < end) {
    AIRAMP_UNROLL
    for (int i = 0; i < Codec::vectors; ++i) store_part<Unit>(buffer, first + Codec::offset(i), end, vectors[i]);
  }
}

}  // namespace airamp::gpu::device
