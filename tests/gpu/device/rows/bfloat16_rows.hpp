// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How a row of 256 bfloat16 numbers must travel, number by number and bit by bit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tests/gpu/device/rows/travelling_rows.hpp"

namespace airamp::gpu::device {

using Numbers = std::array<std::uint16_t, sizeof(Row) / sizeof(std::uint16_t)>;

/// What becomes of a row before it travels: a NaN of 16 ones in the upper half of a word has the other sign.
inline Row without_marks(const Row& row) {
  auto numbers = std::bit_cast<Numbers>(row);
  for (std::size_t i = 1; i < numbers.size(); i += 2)
    if (numbers[i] == 0xffff) numbers[i] = 0x7fff;
  return std::bit_cast<Row>(numbers);
}

/// How a row travels. `vectors`: that are sent, 32 of a whole row.
struct Sending {
  int vectors = 32;
  std::array<std::uint32_t, 96> word = {};  ///< of 24 vectors
};

namespace bfloat16_rows {

inline void put(std::uint32_t& word, int bit, int value) { word |= static_cast<std::uint32_t>(value) << bit; }

/// Of the lane's eight numbers as signs and distances.
inline std::array<std::uint32_t, 3> packed(const std::array<int, 8>& sign, const std::array<int, 8>& distance) {
  std::array<std::uint32_t, 3> word = {};
  for (int n = 0; n < 6; ++n) put(word[n / 2], 16 * (n % 2), sign[n] * 2048 + distance[n]);
  for (int n = 6; n < 8; ++n)
    for (int k = 0; k < 3; ++k)
      put(word[k], 16 * (n % 2) + 12, (sign[n] * 2048 + distance[n]) / (k == 0 ? 1 : k == 1 ? 16 : 256) % 16);
  return word;
}

}  // namespace bfloat16_rows

/// For a row without marks.
inline Sending sending_of(const Row& row) {
  const auto numbers = std::bit_cast<Numbers>(row);
  Sending result;
  const auto exponent_of = [](int number) { return number % 0x8000 / 128; };
  int greatest = 0;
  for (const int number : numbers) greatest = std::max(greatest, exponent_of(number));
  const int top = (greatest + 1) * 128;
  std::array<std::array<std::uint32_t, 3>, 32> lanes;
  for (std::size_t l = 0; l < 32; ++l) {
    std::array<int, 8> sign, distance;
    int far = 0;
    for (std::size_t n = 0; n < 8; ++n) {
      const int number = numbers[8 * l + n];
      sign[n] = number / 0x8000;
      distance[n] = number % 0x8000 == 0 ? 0 : top - number % 0x8000;
      if (distance[n] > 2047) return result;
      if (n < 7 && distance[n] >= 1024) ++far;
    }
    const bool last_is_far = distance[7] >= 1024;
    if (last_is_far ? far > 2 : far > 4) return result;
    if (last_is_far)
      for (int& d : distance) d = d >= 1024 ? d - 1024 : d + 1024;
    lanes[l] = bfloat16_rows::packed(sign, distance);
  }
  for (std::size_t l = 0; l < 32; ++l) bfloat16_rows::put(lanes[l][2], 30, lanes[0][0] >> l & 1u);
  const bool all_zero = std::all_of(numbers.begin(), numbers.end(), [](auto number) { return number == 0; });
  lanes[0][0] = 0xffff0000u + 0x100u * static_cast<std::uint32_t>(greatest) + (all_zero ? 1 : 24);
  for (std::size_t l = 0; l < 32; ++l)
    for (std::size_t k = 0; k < 3; ++k) {
      if (lanes[l][k] == hole_word) return result;
      result.word[l < 24 ? 4 * l + k : 4 * (3 * (l - 24) + k) + 3] = lanes[l][k];
    }
  result.vectors = all_zero ? 1 : 24;
  return result;
}

template <>
inline TravellingRow travelling<Bfloat16>(const Row& row) {
  TravellingRow result(row, 4, false);
  result.words = 4 * sending_of(without_marks(row)).vectors;
  result.expected = without_marks(row);
  return result;
}

}  // namespace airamp::gpu::device
