// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Tiles of the application's buffers, between memory and registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// How many of `count` elements from `first` on come before `end`.
template <int count>
AIRAMP_DEVICE int elements_until(std::uint64_t first, std::uint64_t end) {
  return first + count <= end ? count : first < end ? static_cast<int>(end - first) : 0;
}

/// The vector that begins at element `first`; zeros from element `end` on. For buffers that are aligned to their
/// elements.
template <class Unit>
AIRAMP_DEVICE_OUT_OF_LINE Vector load_part(const std::byte* buffer, std::uint64_t first, std::uint64_t end) {
  constexpr int count = 16 / sizeof(Unit);
  constexpr int per_word = sizeof(Unit) < 4 ? 4 / sizeof(Unit) : 1;
  const Unit* from = reinterpret_cast<const Unit*>(buffer) + first;
  const int rest = elements_until<count>(first, end);
  Vector vector = {};
  AIRAMP_UNROLL
  for (int i = 0; i < count; ++i) {
    const Unit element = i < rest ? from[i] : Unit{0};
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
  const int rest = elements_until<count>(first, end);
  AIRAMP_UNROLL
  for (int i = 0; i < count; ++i) {
    if (i >= rest) continue;
    if constexpr (sizeof(Unit) == 8)
      to[i] = vector.word[2 * i] | static_cast<std::uint64_t>(vector.word[2 * i + 1]) << 32;
    else
      to[i] = static_cast<Unit>(vector.word[i / per_word] >> (8 * sizeof(Unit) * (i % per_word)));
  }
}

/// The same of half a vector.
template <class Unit>
AIRAMP_DEVICE HalfVector load_half_part(const std::byte* buffer, std::uint64_t first, std::uint64_t end) {
  constexpr std::uint64_t count = 8 / sizeof(Unit);
  const Vector vector = load_part<Unit>(buffer, first, first + count < end ? first + count : end);
  return {{vector.word[0], vector.word[1]}};
}

template <class Unit>
AIRAMP_DEVICE void store_half_part(std::byte* buffer, std::uint64_t first, std::uint64_t end, HalfVector half) {
  constexpr std::uint64_t count = 8 / sizeof(Unit);
  store_part<Unit>(buffer, first, first + count < end ? first + count : end,
                   Vector{{half.word[0], half.word[1], 0, 0}});
}

/// Loads a lane's elements of one row: `whole(offset)` loads a vector, `half(offset)` half of one, at an offset of
/// elements.
template <class Codec, class Whole, class Half>
AIRAMP_DEVICE void load_row_by(Vector* vectors, Whole whole, Half half) {
  if constexpr (Codec::half_vectors == 0) {
    AIRAMP_UNROLL
    for (int i = 0; i < Codec::vectors; ++i) vectors[i] = whole(Codec::offset(i));
  } else {
    AIRAMP_UNROLL
    for (int i = 0; i < Codec::half_vectors; ++i) {
      const HalfVector loaded = half(Codec::offset(i));
      vectors[i / 2].word[i % 2 * 2] = loaded.word[0];
      vectors[i / 2].word[i % 2 * 2 + 1] = loaded.word[1];
    }
  }
}

/// The reverse.
template <class Codec, class Whole, class Half>
AIRAMP_DEVICE void store_row_by(const Vector* vectors, Whole whole, Half half) {
  if constexpr (Codec::half_vectors == 0) {
    AIRAMP_UNROLL
    for (int i = 0; i < Codec::vectors; ++i) whole(Codec::offset(i), vectors[i]);
  } else {
    AIRAMP_UNROLL
    for (int i = 0; i < Codec::half_vectors; ++i) {
      const Vector& vector = vectors[i / 2];
      half(Codec::offset(i), HalfVector{{vector.word[i % 2 * 2], vector.word[i % 2 * 2 + 1]}});
    }
  }
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
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      const Unit* const from = reinterpret_cast<const Unit*>(buffer) + first + u * Codec::row_elements;
      load_row_by<Codec>(
          vectors + u * Codec::vectors,
          [from](int offset) { return load_input(reinterpret_cast<const Vector*>(from + offset)); },
          [from](int offset) { return load_input(reinterpret_cast<const HalfVector*>(from + offset)); });
    }
  } else if (first < end) {
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      const std::uint64_t row = first + u * Codec::row_elements;
      load_row_by<Codec>(
          vectors + u * Codec::vectors, [=](int offset) { return load_part<Unit>(buffer, row + offset, end); },
          [=](int offset) { return load_half_part<Unit>(buffer, row + offset, end); });
    }
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
    Unit* const row = reinterpret_cast<Unit*>(buffer) + first;
    store_row_by<Codec>(
        vectors, [row](int offset, const Vector& v) { store_output(reinterpret_cast<Vector*>(row + offset), v); },
        [row](int offset, const HalfVector& v) { store_output(reinterpret_cast<HalfVector*>(row + offset), v); });
  } else if (first < end) {
    store_row_by<Codec>(
        vectors, [=](int offset, const Vector& v) { store_part<Unit>(buffer, first + offset, end, v); },
        [=](int offset, const HalfVector& v) { store_half_part<Unit>(buffer, first + offset, end, v); });
  }
}

}  // namespace airamp::gpu::device
