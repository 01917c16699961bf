// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The SIMD codecs, compiled once for every target that is worth having. The choice among them is made in host_codec.cpp
// and not by Highway, whose run-time part would be a library to link.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/simd/simd_codec.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "codec/codec.hpp"
#include "codec/codec_table.hpp"
#include "codec/floating_point_scope.hpp"
#include "codec/simd_targets.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "codec/simd/consumers-inl.hpp"
#include "codec/simd/decode-inl.hpp"
#include "codec/simd/encode-inl.hpp"
#include "codec/simd/four_bit-inl.hpp"
#include "codec/simd/six_bit-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

template <WireFormat format, ElementType type>
HWY_INLINE void encode_input_row(const Bytes* elements, Bytes* wire) {
  constexpr int bits = WireFormatTraits<format>::element_bits;
  if constexpr (bits == 8) encode_input_byte_row<format, type>(elements, wire);
  if constexpr (bits == 6) encode_six_bit_row<format, type, type, false>(elements, wire);
  if constexpr (bits == 4) encode_four_bit_row<type>(elements, wire);
}

/// May change the values.
template <WireFormat format, ElementType type>
HWY_INLINE void encode_result_row(float* values, Bytes* wire) {
  constexpr int bits = WireFormatTraits<format>::element_bits;
  [[maybe_unused]] const auto* elements = reinterpret_cast<const Bytes*>(values);
  if constexpr (bits == 8) encode_result_byte_row<format, type>(values, wire);
  if constexpr (bits == 6) encode_six_bit_row<format, ElementType::float32, type, true>(elements, wire);
  if constexpr (bits == 4) encode_untransformed_row<type, true>(values, wire);
}

template <WireFormat format, class Consumer>
HWY_INLINE void decode_row(const Bytes* wire, const Consumer& consume) {
  constexpr int bits = WireFormatTraits<format>::element_bits;
  if constexpr (bits == 8) decode_byte_row<format>(wire, consume);
  if constexpr (bits == 6) decode_six_bit_row<format>(wire, consume);
  if constexpr (bits == 4) decode_four_bit_row(wire, consume);
}

// The functions with the row loops are not inlined, so that no arithmetic moves out of the floating-point scope.
template <WireFormat format, ElementType type>
struct SimdCodec {
  static constexpr std::size_t row_elements = wire_row_elements(format);
  static constexpr std::size_t row_bytes = row_elements * size_of(type);

  static HWY_NOINLINE void encode_rows(const Bytes* input, std::size_t elements, Bytes* wire) {
    for (; elements >= row_elements; elements -= row_elements, input += row_bytes, wire += wire_row_bytes) {
      encode_input_row<format, type>(input, wire);
    }
    if (elements == 0) return;
    HWY_ALIGN Bytes padded[row_bytes] = {};
    std::memcpy(padded, input, elements * size_of(type));
    encode_input_row<format, type>(padded, wire);
  }

  static HWY_NOINLINE void decode_rows(const Bytes* wire, std::size_t elements, Bytes* output) {
    for (; elements >= row_elements; elements -= row_elements, output += row_bytes, wire += wire_row_bytes) {
      decode_row<format>(wire, StoreValues<type>{output});
    }
    if (elements == 0) return;
    HWY_ALIGN Bytes padded[row_bytes];
    decode_row<format>(wire, StoreValues<type>{padded});
    std::memcpy(output, padded, elements * size_of(type));
  }

  template <ReduceOp op>
  static HWY_NOINLINE void accumulate_rows(const Bytes* wire, std::size_t rows, float* accumulators) {
    for (std::size_t row = 0; row < rows; ++row) {
      decode_row<format>(wire + row * wire_row_bytes, UpdateAccumulators<op>{accumulators + row * row_elements});
    }
  }

  template <ReduceOp op>
  static HWY_NOINLINE void reduce_rows(const std::byte* const* wires, std::size_t count, std::size_t rows,
                                       Bytes* result) {
    HWY_ALIGN float accumulators[row_elements];
    for (std::size_t offset = 0; offset < rows * wire_row_bytes; offset += wire_row_bytes) {
      if constexpr (format == WireFormat::mxfp4 && op == ReduceOp::sum) {
        sum_four_bit_rows<type>(wires, count, offset, result + offset);
        continue;
      }
      decode_row<format>(reinterpret_cast<const Bytes*>(wires[0]) + offset, StartAccumulators<op>{accumulators});
      for (std::size_t k = 1; k < count; ++k) {
        decode_row<format>(reinterpret_cast<const Bytes*>(wires[k]) + offset, UpdateAccumulators<op>{accumulators});
      }
      encode_result_row<format, type>(accumulators, result + offset);
    }
  }

  static void encode(const void* input, std::size_t elements, std::byte* wire) {
    const FloatingPointScope scope;
    encode_rows(static_cast<const Bytes*>(input), elements, reinterpret_cast<Bytes*>(wire));
  }

  static void decode(const std::byte* wire, std::size_t elements, void* output) {
    const FloatingPointScope scope;
    decode_rows(reinterpret_cast<const Bytes*>(wire), elements, static_cast<Bytes*>(output));
  }

  static void accumulate(const std::byte* wire, std::size_t elements, ReduceOp op, float* accumulators) {
    const FloatingPointScope scope;
    const auto* bytes = reinterpret_cast<const Bytes*>(wire);
    const std::size_t rows = wire_rows(format, elements);
    if (op == ReduceOp::sum) return accumulate_rows<ReduceOp::sum>(bytes, rows, accumulators);
    if (op == ReduceOp::max) return accumulate_rows<ReduceOp::max>(bytes, rows, accumulators);
    accumulate_rows<ReduceOp::min>(bytes, rows, accumulators);
  }

  static void reduce(const std::byte* const* wires, std::size_t count, std::size_t elements, ReduceOp op,
                     std::byte* result) {
    const FloatingPointScope scope;
    auto* bytes = reinterpret_cast<Bytes*>(result);
    const std::size_t rows = wire_rows(format, elements);
    if (op == ReduceOp::sum) return reduce_rows<ReduceOp::sum>(wires, count, rows, bytes);
    if (op == ReduceOp::max) return reduce_rows<ReduceOp::max>(wires, count, rows, bytes);
    reduce_rows<ReduceOp::min>(wires, count, rows, bytes);
  }
};

constexpr CodecTable table = make_codec_table<SimdCodec>();

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace airamp::codec {

#if HWY_TARGETS & HWY_AVX3
const CodecTable* avx512_codecs() { return &N_AVX3::table; }
#else
const CodecTable* avx512_codecs() { return nullptr; }
#endif

#if HWY_TARGETS & HWY_AVX2
const CodecTable* avx2_codecs() { return &N_AVX2::table; }
#else
const CodecTable* avx2_codecs() { return nullptr; }
#endif

#if HWY_TARGETS & HWY_NEON
const CodecTable* neon_codecs() { return &N_NEON::table; }
#else
const CodecTable* neon_codecs() { return nullptr; }
#endif

}  // namespace airamp::codec
#endif
