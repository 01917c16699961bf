// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "codec/codec.hpp"
#include "codec/codec_table.hpp"
#include "codec/element_conversion.hpp"
#include "codec/floating_point_scope.hpp"
#include "codec/reference_byte_row.hpp"
#include "codec/reference_element.hpp"
#include "codec/reference_four_bit_row.hpp"
#include "codec/reference_word_row.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {
namespace {

template <WireFormat format, ElementType type>
using ReferenceRow = std::conditional_t<WireFormatTraits<format>::element_bits == 8, ReferenceByteRow<format>,
                                        std::conditional_t<WireFormatTraits<format>::element_bits == 6,
                                                           ReferenceSixBitRow<format>, ReferenceFourBitRow<type>>>;

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
  using Row = ReferenceRow<format, type>;
  using Values = typename Row::Values;
  static constexpr std::size_t row_elements = wire_row_elements(format);

  static void encode(const void* input, std::size_t elements, std::byte* wire) {
    const FloatingPointScope scope;
    const auto* bytes = static_cast<const std::byte*>(input);
    for (std::size_t first = 0; first < elements; first += row_elements, wire += wire_row_bytes) {
      Values values{};
      const std::size_t count = std::min(elements - first, row_elements);
      for (std::size_t i = 0; i < count; ++i)
        values[i] = clamp_input<format, type>(load_element<type>(bytes, first + i));
      Row::encode(values, wire);
    }
  }

  static void decode(const std::byte* wire, std::size_t elements, void* output) {
    const FloatingPointScope scope;
    auto* bytes = static_cast<std::byte*>(output);
    for (std::size_t first = 0; first < elements; first += row_elements, wire += wire_row_bytes) {
      Values values;
      Row::decode(wire, values);
      const std::size_t count = std::min(elements - first, row_elements);
      for (std::size_t i = 0; i < count; ++i) store_element<type>(values[i], bytes, first + i);
    }
  }

  static void accumulate(const std::byte* wire, std::size_t elements, ReduceOp op, float* accumulators) {
    const FloatingPointScope scope;
    for (std::size_t row = 0; row < wire_rows(format, elements); ++row, accumulators += row_elements) {
      Values values;
      Row::decode(wire + row * wire_row_bytes, values);
      for (std::size_t i = 0; i < row_elements; ++i) accumulators[i] = combine(op, accumulators[i], values[i]);
    }
  }

  static void reduce(const std::byte* const* wires, std::size_t count, std::size_t elements, ReduceOp op,
                     std::byte* result) {
    const FloatingPointScope scope;
    for (std::size_t row = 0; row < wire_rows(format, elements); ++row) {
      const std::size_t offset = row * wire_row_bytes;
      if constexpr (format == WireFormat::mxfp4) {
        if (op == ReduceOp::sum) {
          sum_four_bit_row(wires, count, offset, result + offset);
          continue;
        }
      }
      Values values;
      Row::decode(wires[0] + offset, values);
      if (op == ReduceOp::sum) start_sum(values);
      for (std::size_t k = 1; k < count; ++k) {
        Values others;
        Row::decode(wires[k] + offset, others);
        for (std::size_t i = 0; i < row_elements; ++i) values[i] = combine(op, values[i], others[i]);
      }
      encode_result(values, result + offset);
    }
  }

 private:
  static void start_sum(Values& values) {
    for (float& value : values) value = 0.0f + value;
  }

  /// Coefficients are added as long as all rows are transformed.
  static void sum_four_bit_row(const std::byte* const* wires, std::size_t count, std::size_t offset,
                               std::byte* result) {
    Values sum;
    bool of_coefficients = Row::form_of(wires[0] + offset) == FourBitForm::transformed;
    Row::decode_codes(wires[0] + offset, sum);
    start_sum(sum);
    for (std::size_t k = 1; k < count; ++k) {
      const std::byte* wire = wires[k] + offset;
      if (of_coefficients && Row::form_of(wire) != FourBitForm::transformed) {
        Row::transform_back(sum);
        of_coefficients = false;
      }
      Values others;
      if (of_coefficients) {
        Row::decode_codes(wire, others);
      } else {
        Row::decode(wire, others);
      }
      for (std::size_t i = 0; i < row_elements; ++i) sum[i] += others[i];
    }
    if (of_coefficients && Row::fits_transform(sum)) return Row::encode_transformed(sum, result);
    if (of_coefficients) Row::transform_back(sum);
    encode_result(sum, result);
  }

  static void encode_result(Values& values, std::byte* result) {
    for (float& value : values) value = clamp_result<format, type>(value);
    if constexpr (format == WireFormat::mxfp4) {
      Row::encode_untransformed(values, result);
    } else {
      Row::encode(values, result);
    }
  }
};

constexpr CodecTable reference_table = make_codec_table<ReferenceCodec>();

}  // namespace

const Codec& host_reference_codec(WireFormat format, ElementType type) {
  return codec_of(reference_table, format, type);
}

}  // namespace airamp::codec
