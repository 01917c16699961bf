// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codec/codec.hpp"
#include "codec/codec_table.hpp"
#include "codec/element_conversion.hpp"
#include "codec/floating_point_scope.hpp"
#include "codec/reference_element.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {
namespace {

using Row = std::array<float, wire_row_elements>;

/// Where element `index` of a row and its scale lie.
struct Place {
  explicit Place(std::size_t index) {
    const std::size_t half = index / half_row_elements;
    const std::size_t in_half = index % half_row_elements;
    const std::size_t group = in_half / group_elements;
    element = group * 2 * group_elements + half * group_elements + in_half % group_elements;
    scale = wire_row_elements + 2 * (in_half / block_elements) + half;
  }
  std::size_t element;
  std::size_t scale;
};

/// Encodes values that are clamped already.
template <WireFormat format>
void encode_row(const Row& values, std::byte* wire) {
  std::array<float, wire_row_bytes> amax{};  // at the place of the block's scale
  for (std::size_t i = 0; i < wire_row_elements; ++i) {
    float& largest = amax[Place(i).scale];
    if (std::isfinite(values[i])) largest = std::max(largest, std::fabs(values[i]));
  }
  for (std::size_t i = wire_row_elements; i < wire_row_bytes; ++i)
    wire[i] = std::byte{reference_scale<format>(amax[i])};
  for (std::size_t i = 0; i < wire_row_elements; ++i) {
    const Place place(i);
    wire[place.element] = std::byte{reference_encode<format>(values[i], static_cast<std::uint8_t>(wire[place.scale]))};
  }
}

template <WireFormat format>
float decode_at(const std::byte* wire, std::size_t index) {
  const Place place(index);
  return reference_decode<format>(static_cast<std::uint8_t>(wire[place.element])) *
         scale_value(static_cast<std::uint8_t>(wire[place.scale]));
}

float combine(ReduceOp op, float accumulator, float value) {
  if (op == ReduceOp::sum) return accumulator + value;
  if (std::isnan(accumulator)) return accumulator;
  if (std::isnan(value)) return value;
  // Numbers that compare equal (-0 and +0) leave the accumulator as it is.
  const bool replaces = op == ReduceOp::max ? value > accumulator : value < accumulator;
  return replaces ? value : accumulator;
}

template <WireFormat format, ElementType type>
struct ReferenceCodec {
  static void encode(const void* input, std::size_t elements, std::byte* wire) {
    const FloatingPointScope scope;
    const auto* bytes = static_cast<const std::byte*>(input);
    for (std::size_t first = 0; first < elements; first += wire_row_elements, wire += wire_row_bytes) {
      Row values{};
      const std::size_t count = std::min(elements - first, wire_row_elements);
      for (std::size_t i = 0; i < count; ++i)
        values[i] = clamp_input<format, type>(load_element<type>(bytes, first + i));
      encode_row<format>(values, wire);
    }
  }

  static void decode(const std::byte* wire, std::size_t elements, void* output) {
    const FloatingPointScope scope;
    for (std::size_t i = 0; i < elements; ++i) {
      const std::byte* row = wire + i / wire_row_elements * wire_row_bytes;
      store_element<type>(decode_at<format>(row, i % wire_row_elements), static_cast<std::byte*>(output), i);
    }
  }

  static void accumulate(const std::byte* wire, std::size_t elements, ReduceOp op, float* accumulators) {
    const FloatingPointScope scope;
    for (std::size_t row = 0; row < wire_rows(elements); ++row) {
      for (std::size_t i = 0; i < wire_row_elements; ++i) {
        float& accumulator = accumulators[row * wire_row_elements + i];
        accumulator = combine(op, accumulator, decode_at<format>(wire + row * wire_row_bytes, i));
      }
    }
  }

  static void reduce(const std::byte* const* wires, std::size_t count, std::size_t elements, ReduceOp op,
                     std::byte* result) {
    const FloatingPointScope scope;
    for (std::size_t row = 0; row < wire_rows(elements); ++row) {
      const std::size_t offset = row * wire_row_bytes;
      Row values;
      for (std::size_t i = 0; i < wire_row_elements; ++i) {
        const float first = decode_at<format>(wires[0] + offset, i);
        values[i] = op == ReduceOp::sum ? 0.0f + first : first;
        for (std::size_t k = 1; k < count; ++k)
          values[i] = combine(op, values[i], decode_at<format>(wires[k] + offset, i));
        values[i] = clamp_result<format, type>(values[i]);
      }
      encode_row<format>(values, result + offset);
    }
  }
};

constexpr CodecTable reference_table = make_codec_table<ReferenceCodec>();

}  // namespace

const Codec& host_reference_codec(WireFormat format, ElementType type) {
  return codec_of(reference_table, format, type);
}

}  // namespace airamp::codec
