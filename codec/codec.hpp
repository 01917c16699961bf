// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// A wire row: 496 elements and their 16 E8M0 scales in 512 bytes, the same for every format, path and device.
///
/// The row's elements form two halves of 248; a half is seven blocks of 32 elements and one of 24, each with one scale.
/// Bytes 16*l ... 16*l+7 (l = 0 ... 30) hold elements 8*l ... 8*l+7 of the first half, bytes 16*l+8 ... 16*l+15 the
/// same of the second half: a lane of a warp owns 16 bytes, a cache line holds one block of either half. Byte 496+2*k
/// (k = 0 ... 7) is the scale of block k of the first half, byte 497+2*k of block k of the second. No byte of a row is
/// ever 0xff.
inline constexpr std::size_t wire_row_bytes = 512;
inline constexpr std::size_t wire_row_elements = 496;

/// Rows that hold `elements` elements; the last one is padded with zeros.
constexpr std::size_t wire_rows(std::size_t elements) {
  return elements / wire_row_elements + (elements % wire_row_elements != 0 ? 1 : 0);
}

/// A codec as a table of functions: one wire format for one element type. All functions are pure and thread-safe, throw
/// nothing and allocate nothing. `elements` may be any number, zero included; element buffers need no alignment, wire
/// buffers are aligned to 64 bytes.
struct Codec {
  std::string_view name;

  /// Encodes `elements` elements at `input` into wire_rows(elements) rows at `wire`. Finite input never saturates a
  /// block and never decodes to a non-finite value; NaN and infinities become the wire's NaN.
  void (*encode)(const void* input, std::size_t elements, std::byte* wire);

  /// Decodes the first `elements` elements of `wire` to `output`.
  void (*decode)(const std::byte* wire, std::size_t elements, void* output);

  /// accumulators[i] = accumulators[i] OP decoded[i] in binary32, for all 496 elements of each of wire_rows(elements)
  /// rows. NaN wins over every number, also in max and min.
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
