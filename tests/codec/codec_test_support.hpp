// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "codec/codec.hpp"
#include "codec/host_targets.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec::test {

/// A codec and the implementation that it belongs to.
struct TestedCodec {
  std::string implementation;
  const Codec* codec;
};

inline std::vector<TestedCodec> simd_codecs(WireFormat format, ElementType type) {
  std::vector<TestedCodec> codecs;
  for (const HostTarget& target : runnable_host_targets()) {
    codecs.push_back({std::string(target.name), &codec_of(*target.codecs, format, type)});
  }
  return codecs;
}

inline std::vector<TestedCodec> all_codecs(WireFormat format, ElementType type) {
  std::vector<TestedCodec> codecs = simd_codecs(format, type);
  codecs.push_back({"reference", &host_reference_codec(format, type)});
  return codecs;
}

/// A parameter of the tests that hold for every format and type.
struct FormatAndType {
  WireFormat format;
  ElementType type;
};

/// As test names are spelled.
inline std::string name_of(WireFormat format) {
  std::string name(to_string(format));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
inline std::string name_of(ElementType type) {
  return type == ElementType::float16 ? "float16" : type == ElementType::bfloat16 ? "bfloat16" : "float32";
}
inline std::string name_of(const FormatAndType& parameter) {
  return name_of(parameter.format) + "_" + name_of(parameter.type);
}
inline void PrintTo(const FormatAndType& parameter, std::ostream* stream) { *stream << name_of(parameter); }

inline std::vector<FormatAndType> all_formats_and_types() {
  std::vector<FormatAndType> all;
  for (const auto format : every_wire_format) {
    for (const auto type : {ElementType::float16, ElementType::bfloat16, ElementType::float32}) {
      all.push_back({format, type});
    }
  }
  return all;
}

/// Those whose elements travel as they are, each with an error of its own.
inline std::vector<FormatAndType> formats_and_types_without_transform() {
  std::vector<FormatAndType> all = all_formats_and_types();
  std::erase_if(all, [](const FormatAndType& parameter) { return parameter.format == WireFormat::mxfp4; });
  return all;
}

/// Rows of wire, aligned to 64 bytes, filled with 0xff, with guard bytes behind them.
class Wire {
 public:
  Wire(WireFormat format, std::size_t elements)
      : bytes_(wire_rows(format, elements) * wire_row_bytes),
        storage_(static_cast<std::byte*>(::operator new (bytes_ + guard_bytes, std::align_val_t{64}))) {
    std::memset(storage_.get(), 0xff, bytes_ + guard_bytes);
  }
  std::byte* data() { return storage_.get(); }
  const std::byte* data() const { return storage_.get(); }
  std::size_t bytes() const { return bytes_; }

  bool guard_intact() const {
    for (std::size_t i = bytes_; i < bytes_ + guard_bytes; ++i) {
      if (storage_[i] != std::byte{0xff}) return false;
    }
    return true;
  }
  /// Whether an aligned word of 32 bits is all ones, by which a receiver would think that it has not arrived.
  bool has_hole() const {
    for (std::size_t i = 0; i < bytes_; i += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, storage_.get() + i, sizeof word);
      if (word == 0xffffffffu) return true;
    }
    return false;
  }
  bool operator==(const Wire& other) const {
    return bytes_ == other.bytes_ && std::memcmp(storage_.get(), other.storage_.get(), bytes_) == 0;
  }

 private:
  static constexpr std::size_t guard_bytes = 1024;
  struct Delete {
    void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{64}); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte[], Delete> storage_;
};

/// The exact value of an IEEE-style encoding with the given field widths, written from the definition.
inline double ieee_value(std::uint32_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto mantissa = static_cast<double>(bits & ((1u << mantissa_bits) - 1));
  const int exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const double sign = (bits >> (mantissa_bits + exponent_bits) & 1u) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) {
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(1.0 + std::ldexp(mantissa, -mantissa_bits), exponent - bias);
}

/// The value of element bits of `type`.
inline double value_of(std::uint32_t bits, ElementType type) {
  if (type == ElementType::float16) return ieee_value(bits, 5, 10);
  if (type == ElementType::bfloat16) return ieee_value(bits, 8, 7);
  return ieee_value(bits, 8, 23);
}

/// Elements of `type` from their bits, packed.
inline std::vector<std::byte> pack(const std::vector<std::uint32_t>& bits, ElementType type) {
  std::vector<std::byte> bytes(bits.size() * size_of(type));
  for (std::size_t i = 0; i < bits.size(); ++i) std::memcpy(bytes.data() + i * size_of(type), &bits[i], size_of(type));
  return bytes;
}

/// Element bits from packed elements.
inline std::vector<std::uint32_t> unpack(const std::vector<std::byte>& bytes, ElementType type) {
  std::vector<std::uint32_t> bits(bytes.size() / size_of(type), 0);
  for (std::size_t i = 0; i < bits.size(); ++i) std::memcpy(&bits[i], bytes.data() + i * size_of(type), size_of(type));
  return bits;
}

/// The bits of `value` in `type`; the value must be exact in it.
inline std::uint32_t bits_of(double value, ElementType type) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == ElementType::float32) return single;
  if (type == ElementType::bfloat16) return single >> 16;
  const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7e00u;
  if (std::isinf(value)) return sign | 0x7c00u;
  if (magnitude < 0x1p-14) return sign | static_cast<std::uint32_t>(magnitude * 0x1p24);
  const int exponent = std::ilogb(magnitude);
  const auto mantissa = static_cast<std::uint32_t>(std::ldexp(magnitude, 10 - exponent)) & 0x3ffu;
  return sign | static_cast<std::uint32_t>(exponent + 15) << 10 | mantissa;
}

inline Wire encode(const Codec& codec, const std::vector<std::uint32_t>& bits, ElementType type) {
  Wire wire(codec.format, bits.size());
  codec.encode(pack(bits, type).data(), bits.size(), wire.data());
  return wire;
}

inline Wire encode_values(const Codec& codec, const std::vector<double>& values, ElementType type) {
  std::vector<std::uint32_t> bits;
  for (const double value : values) bits.push_back(bits_of(value, type));
  return encode(codec, bits, type);
}

inline std::vector<std::uint32_t> decode(const Codec& codec, const Wire& wire, std::size_t elements, ElementType type) {
  std::vector<std::byte> bytes(elements * size_of(type));
  codec.decode(wire.data(), elements, bytes.data());
  return unpack(bytes, type);
}

/// The decoded values in binary32, before they are rounded to the element type. (Their maximum with minus infinity: a
/// sum would lose the sign of zeros.)
inline std::vector<float> decode_exactly(const Codec& codec, const Wire& wire, std::size_t elements) {
  std::vector<float> values(codec.rows(elements) * codec.row_elements(), -std::numeric_limits<float>::infinity());
  codec.accumulate(wire.data(), elements, ReduceOp::max, values.data());
  values.resize(elements);
  return values;
}

inline bool same_values(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;  // which NaN an accumulator holds is not defined
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
  }
  return true;
}

}  // namespace airamp::codec::test
