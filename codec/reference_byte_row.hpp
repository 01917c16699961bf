// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codec/byte_row.hpp"
#include "codec/codec.hpp"
#include "codec/reference_element.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// Codes a row whose elements are bytes.
template <WireFormat format>
struct ReferenceByteRow {
  using Values = std::array<float, byte_row_elements>;

  /// Encodes values that are clamped already.
  static void encode(const Values& values, std::byte* wire) {
    std::array<float, wire_row_bytes> amax{};  // at the place of the block's scale
    for (std::size_t i = 0; i < byte_row_elements; ++i) {
      float& largest = amax[Place(i).scale];
      if (std::isfinite(values[i])) largest = std::max(largest, std::fabs(values[i]));
    }
    for (std::size_t i = byte_row_elements; i < wire_row_bytes; ++i)
      wire[i] = std::byte{reference_scale<format>(amax[i])};
    for (std::size_t i = 0; i < byte_row_elements; ++i) {
      const Place place(i);
      wire[place.element] =
          std::byte{reference_encode<format>(values[i], static_cast<std::uint8_t>(wire[place.scale]))};
    }
  }

  static void decode(const std::byte* wire, Values& values) {
    for (std::size_t i = 0; i < byte_row_elements; ++i) {
      const Place place(i);
      values[i] = reference_decode<format>(static_cast<std::uint8_t>(wire[place.element])) *
                  scale_value(static_cast<std::uint8_t>(wire[place.scale]));
    }
  }

 private:
  /// Where element `index` of a row and its scale lie.
  struct Place {
    explicit Place(std::size_t index) {
      const std::size_t half = index / half_row_elements;
      const std::size_t in_half = index % half_row_elements;
      const std::size_t group = in_half / group_elements;
      element = group * 2 * group_elements + half * group_elements + in_half % group_elements;
      scale = byte_row_elements + 2 * (in_half / block_elements) + half;
    }
    std::size_t element;
    std::size_t scale;
  };
};

}  // namespace airamp::codec
