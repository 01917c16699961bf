// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Every bit pattern of the 16-bit types, next to every kind of neighbour: finite elements stay finite and within half a
// unit of the element format at the block's scale, what is not finite stays so.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "tests/codec/codec_test_support.hpp"
#include "tests/codec/row_places.hpp"

namespace airamp::codec::test {
namespace {

struct Format {
  explicit Format(WireFormat wire_format) {
    if (wire_format == WireFormat::mxfp8_e5m2) largest = 57344.0, mantissa_bits = 2, min_exponent = -14, clamp = 1.875;
    if (wire_format == WireFormat::mxint8) largest = clamp = 126.0 / 64.0, mantissa_bits = 6, min_exponent = 0;
    if (wire_format == WireFormat::mxfp6_e2m3) largest = 7.0, mantissa_bits = 3, min_exponent = 0;
    if (wire_format == WireFormat::mxfp6_e3m2) largest = 24.0, mantissa_bits = 2, min_exponent = -2, clamp = 1.875;
    is_integer = wire_format == WireFormat::mxint8;
    for (std::size_t scale = 0; scale < limits.size(); ++scale) {
      limits[scale] = std::ldexp(largest, static_cast<int>(scale) - 127);
    }
  }

  double clamped(double magnitude, ElementType type) const {
    const double limit = std::ldexp(clamp, type == ElementType::float16 ? 15 : 127);
    return std::min(magnitude,
                    is_integer ? limit : static_cast<double>(std::nextafter(static_cast<float>(limit), 0.0f)));
  }

  /// The exponent of the smallest scale that holds `amax`.
  int scale_exponent(double amax) const {
    return static_cast<int>(std::lower_bound(limits.begin(), limits.end(), amax) - limits.begin()) - 127;
  }

  /// The distance of neighbouring numbers around `magnitude` under a scale of 2^exponent.
  double unit(double magnitude, int exponent) const {
    const int smallest = min_exponent + exponent;
    const int own = magnitude == 0.0 || is_integer ? smallest : std::max(std::ilogb(magnitude), smallest);
    return std::ldexp(1.0, own - mantissa_bits);
  }

  double largest = 448.0, clamp = 1.9375;
  int mantissa_bits = 3, min_exponent = -6;
  bool is_integer = false;
  std::array<double, 256> limits;
};

std::uint32_t largest_finite(ElementType type) {
  return type == ElementType::float32 ? 0x7f7fffffu : type == ElementType::bfloat16 ? 0x7f7fu : 0x7bffu;
}
std::uint32_t infinity(ElementType type) { return type == ElementType::float16 ? 0x7c00u : largest_finite(type) + 1; }

/// The element bits that stand beside each pattern.
using Neighbour = std::uint32_t (*)(std::uint32_t bits, ElementType type);
constexpr std::array<Neighbour, 7> neighbours = {
    +[](std::uint32_t, ElementType) { return 0u; },
    +[](std::uint32_t bits, ElementType) { return bits; },
    +[](std::uint32_t bits, ElementType type) { return bits ^ (type == ElementType::float16 ? 0x0400u : 0x0080u); },
    +[](std::uint32_t bits, ElementType type) {
      const double value = value_of(bits, type);
      const double larger = std::fabs(value) * 8;
      return larger < value_of(largest_finite(type), type) ? bits_of(larger, type) : largest_finite(type);
    },
    +[](std::uint32_t, ElementType type) { return largest_finite(type); },
    +[](std::uint32_t, ElementType type) { return infinity(type); },
    +[](std::uint32_t, ElementType type) { return infinity(type) + 1; },
};

/// Whether `bits` is the number of `type` nearest to `exact`, the even one of two.
bool is_nearest(std::uint32_t bits, double exact, ElementType type) {
  const double distance = std::fabs(value_of(bits, type) - exact);
  for (const std::uint32_t other : {bits + 1, bits - 1}) {
    const double value = value_of(other, type);
    if (!std::isfinite(value)) continue;
    const double other_distance = std::fabs(value - exact);
    if (other_distance < distance || (other_distance == distance && value != value_of(bits, type) && bits % 2 != 0)) {
      return false;
    }
  }
  return true;
}

class ErrorBound : public testing::TestWithParam<FormatAndType> {
 protected:
  /// Encodes and decodes rows of full length and checks every element.
  void check(const std::vector<std::uint32_t>& elements) {
    const auto [format, type] = GetParam();
    const Codec& reference = host_reference_codec(format, type);
    const Wire wire = encode(reference, elements, type);
    ASSERT_FALSE(wire.has_hole());
    const auto decoded = decode(reference, wire, elements.size(), type);
    const auto exact = decode_exactly(reference, wire, elements.size());
    for (std::size_t row = 0; row < elements.size(); row += wire_row_elements(format)) {
      for (const auto& block : blocks_) check_block(elements, decoded, exact, row, block);
      if (HasFatalFailure()) return;
    }
    for (const TestedCodec& tested : simd_codecs(format, type)) {
      ASSERT_TRUE(encode(*tested.codec, elements, type) == wire) << tested.implementation;
      ASSERT_EQ(decode(*tested.codec, wire, elements.size(), type), decoded) << tested.implementation;
      ASSERT_TRUE(same_values(decode_exactly(*tested.codec, wire, elements.size()), exact)) << tested.implementation;
    }
  }

 private:
  void check_block(const std::vector<std::uint32_t>& elements, const std::vector<std::uint32_t>& decoded,
                   const std::vector<float>& exact, std::size_t row, const std::vector<std::size_t>& block) {
    const ElementType type = GetParam().type;
    double amax = 0.0;
    for (const std::size_t place : block) {
      const double value = value_of(elements[row + place], type);
      if (std::isfinite(value)) amax = std::max(amax, format_.clamped(std::fabs(value), type));
    }
    const int exponent = format_.scale_exponent(amax);
    for (const std::size_t place : block) {
      const std::size_t i = row + place;
      const double value = value_of(elements[i], type);
      if (!std::isfinite(value)) {
        ASSERT_TRUE(std::isnan(exact[i])) << std::hex << elements[i];
        ASSERT_TRUE(std::isnan(value_of(decoded[i], type))) << std::hex << elements[i];
        continue;
      }
      const double magnitude = format_.clamped(std::fabs(value), type);
      const double error = std::fabs(std::copysign(magnitude, value) - static_cast<double>(exact[i]));
      ASSERT_LE(error, format_.unit(magnitude, exponent) / 2) << std::hex << elements[i] << " beside amax " << amax;
      ASSERT_TRUE(std::isfinite(value_of(decoded[i], type))) << std::hex << elements[i] << " beside amax " << amax;
      ASSERT_TRUE(is_nearest(decoded[i], exact[i], type)) << std::hex << elements[i] << " beside amax " << amax;
    }
  }

  const Format format_{GetParam().format};
  const std::vector<std::vector<std::size_t>> blocks_ = blocks_of(GetParam().format);
};
INSTANTIATE_TEST_SUITE_P(, ErrorBound, testing::ValuesIn(formats_and_types_without_transform()),
                         [](const auto& test) { return name_of(test.param); });

/// One pattern a block, at its ends, with neighbours between.
std::vector<std::uint32_t> rows_of(const std::vector<std::uint32_t>& patterns, Neighbour neighbour,
                                   const FormatAndType& parameter) {
  const auto [format, type] = parameter;
  const auto blocks = blocks_of(format);
  std::vector<std::uint32_t> elements((patterns.size() + blocks.size() - 1) / blocks.size() * wire_row_elements(format),
                                      0u);
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    std::uint32_t* const row = elements.data() + k / blocks.size() * wire_row_elements(format);
    const std::vector<std::size_t>& block = blocks[k % blocks.size()];
    for (const std::size_t i : block) row[i] = neighbour(patterns[k], type);
    row[block.front()] = row[block.back()] = patterns[k];
  }
  return elements;
}

TEST_P(ErrorBound, HoldsForEveryPatternBesideEveryKindOfNeighbour) {
  const ElementType type = GetParam().type;
  std::vector<std::uint32_t> patterns(65536);
  std::mt19937 random(7);
  for (std::uint32_t i = 0; i < patterns.size(); ++i) {
    // Of the four thousand million patterns of binary32 those whose upper half is any and whose lower half is random.
    patterns[i] = type == ElementType::float32 ? i << 16 | (random() & 0xffffu) : i;
  }
  for (const Neighbour neighbour : neighbours) {
    check(rows_of(patterns, neighbour, GetParam()));
    if (HasFatalFailure()) return;
  }
}

TEST_P(ErrorBound, HoldsUpToTheLargestNumbers) {
  const ElementType type = GetParam().type;
  if (type != ElementType::float32) return check(rows_of({largest_finite(type)}, neighbours[1], GetParam()));
  std::vector<std::uint32_t> patterns;
  for (std::uint32_t bits = 0x7f700000u; bits < 0x7f800000u; bits += 61) patterns.push_back(bits);
  for (std::uint32_t bits = 0x7f77ff00u; bits < 0x7f780100u; ++bits)
    patterns.push_back(bits);  // the clamp of three bits of mantissa
  for (std::uint32_t bits = 0x7f6fff00u; bits < 0x7f700100u; ++bits) patterns.push_back(bits);  // of two
  for (std::uint32_t bits = 0x7f7bff00u; bits < 0x7f7c0100u; ++bits) patterns.push_back(bits);  // mxint8's
  for (const Neighbour neighbour : {neighbours[0], neighbours[1], neighbours[4]}) {
    check(rows_of(patterns, neighbour, GetParam()));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace airamp::codec::test
