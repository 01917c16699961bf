// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// A wire row: as many elements as fit with their E8M0 scales into 512 bytes, the same on every path and device. Where
/// they lie: byte_row.hpp and word_row.hpp. No aligned word of 32 bits is ever all ones.
inline constexpr std::size_t wire_row_bytes = 512;

/// Elements in a row.
constexpr std::size_t wire_row_elements(WireFormat format) {
  switch (format) {
    case WireFormat::mxfp6_e2m3:
    case WireFormat::mxfp6_e3m2:
      return 640;
    case WireFormat::mxfp4:
      return 960;
    default:
      return 496;
  }
}

/// Rows that hold `elements` elements; the last one is padded with zeros.
constexpr std::size_t wire_rows(WireFormat format, std::size_t elements) {
  const std::size_t row = wire_row_elements(format);
  return elements / row + (elements % row != 0 ? 1 : 0);
}

/// A codec as a table of functions: one wire format for one element type. All functions are pure and thread-safe, throw
/// nothing and allocate nothing. `elements` may be any number, zero included; element buffers need no alignment, wire
/// buffers are aligned to 64 bytes.
struct Codec {
  WireFormat format;

  constexpr std::size_t row_elements() const { return wire_row_elements(format); }
  constexpr std::size_t rows(std::size_t elements) const { return wire_rows(format, elements); }

  /// Encodes `elements` elements at `input` into rows(elements) rows at `wire`. Finite input never saturates a
  /// block and never decodes to a non-finite value; NaN and infinities become the wire's NaN.
  void (*encode)(const void* input, std::size_t elements, std::byte* wire);

  /// Decodes the first `elements` elements of `wire` to `output`.
  void (*decode)(const std::byte* wire, std::size_t elements, void* output);

  /// accumulators[i] = accumulators[i] OP decoded[i] in binary32, for all elements of each of rows(elements) rows. NaN
  /// wins over every number, also in max and min.
  void (*accumulate)(const std::byte* wire, std::size_t elements, ReduceOp op, float* accumulators);

  /// Reduces `count` >= 1 wires of the same `elements` in the order given (sum: from +0, in binary32) and encodes the
  /// result into `result`, which may be one of the sources. A sum that overflows the element type decodes to a
  /// non-finite value; one that does not decodes to a finite value.
  void (*reduce)(const std::byte* const* wires, std::size_t count, std::size_t elements, ReduceOp op,
                 std::byte* result);
};

/// The host codec that this processor runs fastest (SIMD, chosen at run time); bit-exact with host_reference_codec.
const Codec& host_codec(WireFormat format, ElementType type);

/// The plain, scalar host codec: the reference for every other one.
const Codec& host_reference_codec(WireFormat format, ElementType type);

}  // namespace airamp::codec
