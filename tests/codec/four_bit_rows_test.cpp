// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Rows of mxfp4: their forms, their elements, what the transform does, and that poison stays where it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"
#include "tests/codec/codec_test_support.hpp"
#include "tests/codec/row_places.hpp"

namespace airamp::codec::test {
namespace {

constexpr WireFormat format = WireFormat::mxfp4;
constexpr std::size_t row_elements = wire_row_elements(format);
constexpr unsigned transformed = 0, plain = 1, marked = 2;
constexpr double infinity = std::numeric_limits<double>::infinity();
const auto blocks = blocks_of(format);

/// MX v1.0 table 5: the magnitudes of E2M1.
constexpr std::array<double, 8> magnitudes = {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0};
double element_value(unsigned code) { return (code & 8u) != 0 ? -magnitudes[code & 7u] : magnitudes[code & 7u]; }

unsigned form_of(const Wire& wire, std::size_t row = 0) { return static_cast<unsigned>(wire.data()[512 * row + 510]); }

/// +1 or -1: how element `i` of a block and coefficient `k` of its transform belong together.
double sign_of(std::size_t i, std::size_t k) { return std::popcount(i & k) % 2 == 0 ? 1.0 : -1.0; }

/// Elements of which neighbours know nothing, so that rows of them are transformed.
std::vector<double> noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(static_cast<int>(random() % 512) - 256) / 64.0;
  return values;
}

class FourBitRows : public testing::TestWithParam<ElementType> {
 protected:
  static std::vector<TestedCodec> codecs() { return all_codecs(format, GetParam()); }

  static std::vector<double> decoded(const Codec& codec, const Wire& wire, std::size_t count) {
    std::vector<double> values;
    for (const std::uint32_t bits : decode(codec, wire, count, GetParam()))
      values.push_back(value_of(bits, GetParam()));
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(, FourBitRows,
                         testing::Values(ElementType::float16, ElementType::bfloat16, ElementType::float32),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(FourBitRows, DecodesEveryCodeUnderEveryScaleInEveryForm) {
  for (const TestedCodec& tested : all_codecs(format, ElementType::float32)) {
    for (unsigned scale = 0; scale < 256; ++scale) {
      for (const unsigned form : {transformed, plain, marked, 3u, 254u}) {
        Wire wire(format, row_elements);
        for (std::size_t block = 0; block < blocks.size(); ++block) {
          set_scale(wire.data(), format, block, scale);
          // What is transformed has one code other than zero, at a place of its own.
          for (std::size_t i = 0; i < 32; ++i) {
            const auto code = static_cast<unsigned>(form != transformed ? (i + block) % 16
                                                    : i == block        ? block % 8
                                                                        : 0);
            set_code(wire.data(), format, blocks[block][i], code);
          }
        }
        wire.data()[510] = static_cast<std::byte>(form);
        wire.data()[511] = std::byte{0};
        const auto values = decode_exactly(*tested.codec, wire, row_elements);
        for (std::size_t block = 0; block < blocks.size(); ++block) {
          for (std::size_t i = 0; i < 32; ++i) {
            const auto code = static_cast<unsigned>((i + block) % 16);
            const double element =
                form == transformed ? element_value(block % 8) * sign_of(i, block) / 32.0 : element_value(code);
            const float value = values[blocks[block][i]];
            if (scale == 255 || (form >= marked && code % 8 == 7)) {
              ASSERT_TRUE(std::isnan(value)) << tested.implementation << " form " << form << " scale " << scale;
            } else {
              ASSERT_EQ(value, static_cast<float>(std::ldexp(element, static_cast<int>(scale) - 127)))
                  << tested.implementation << " form " << form << " scale " << scale << " code " << code;
            }
          }
        }
      }
    }
  }
}

/// Codes and scales are those that the definition asks for, of the transform that it defines; computed in double.
TEST_P(FourBitRows, SendsTheNearestElementsOfTheTransform) {
  const std::vector<double> values = noise(row_elements, 3);
  for (const TestedCodec& tested : codecs()) {
    const Wire wire = encode_values(*tested.codec, values, GetParam());
    ASSERT_EQ(form_of(wire), transformed) << tested.implementation;
    ASSERT_EQ(wire.data()[511], std::byte{0});
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      std::array<double, 32> coefficients{};
      for (std::size_t k = 0; k < 32; ++k)
        for (std::size_t i = 0; i < 32; ++i) coefficients[k] += sign_of(i, k) * values[blocks[block][i]];
      double largest = 0.0;
      for (const double coefficient : coefficients) largest = std::max(largest, std::fabs(coefficient));
      const int exponent = static_cast<int>(scale_at(wire.data(), format, block)) - 127;
      ASSERT_LE(largest, std::ldexp(6.0, exponent)) << tested.implementation;
      ASSERT_GT(largest, std::ldexp(6.0, exponent - 1)) << tested.implementation;
      for (std::size_t k = 0; k < 32; ++k) {
        const unsigned code = code_at(wire.data(), format, blocks[block][k]);
        ASSERT_NE(code, 8u) << "-0 is never sent";
        const double scaled = std::ldexp(coefficients[k], -exponent);
        const double error = std::fabs(element_value(code) - scaled);
        for (const unsigned other : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 9u, 10u, 11u, 12u, 13u, 14u, 15u}) {
          const double other_error = std::fabs(element_value(other) - scaled);
          ASSERT_TRUE(error < other_error || (error == other_error && (code % 2 == 0 || code == other)))
              << tested.implementation << " code " << code << " for " << scaled;
        }
      }
    }
  }
}

TEST_P(FourBitRows, SmoothDataTravelAsTheyAre) {
  std::vector<double> values(row_elements, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(256 + i / 32) / 16.0;
  for (const TestedCodec& tested : codecs()) {
    const Wire wire = encode_values(*tested.codec, values, GetParam());
    ASSERT_EQ(form_of(wire), plain) << tested.implementation;
    const auto result = decoded(*tested.codec, wire, row_elements);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(result[i], 16.0) << tested.implementation;
  }
}

/// Every bit pattern of 16-bit types, among neighbours that are not finite, large or small: what is finite stays so and
/// nothing else becomes so; no word is a hole; all implementations agree.
TEST_P(FourBitRows, PoisonStaysWhereItIs) {
  const ElementType type = GetParam();
  std::mt19937 random(5);
  const std::uint32_t mask = type == ElementType::float32 ? 0xffffffffu : 0xffffu;
  for (const double poison : {std::nan(""), infinity, -infinity, 1.0}) {
    std::vector<std::uint32_t> elements;
    for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
      elements.push_back((type == ElementType::float32 ? pattern << 16 | (random() & 0xffffu) : pattern) & mask);
      if (pattern % 31 == 0) elements.push_back(bits_of(poison, type));
    }
    const Wire wire = encode(host_reference_codec(format, type), elements, type);
    ASSERT_FALSE(wire.has_hole());
    for (const TestedCodec& tested : codecs()) {
      ASSERT_TRUE(encode(*tested.codec, elements, type) == wire) << tested.implementation;
      const auto bits = decode(*tested.codec, wire, elements.size(), type);
      for (std::size_t i = 0; i < elements.size(); ++i) {
        ASSERT_EQ(std::isfinite(value_of(bits[i], type)), std::isfinite(value_of(elements[i], type)))
            << tested.implementation << std::hex << " " << elements[i] << " became " << bits[i];
      }
    }
  }
}

TEST_P(FourBitRows, ElementsBesidePoisonKeepTheirValue) {
  for (const TestedCodec& tested : codecs()) {
    const Wire wire = encode_values(*tested.codec, {1.0, -infinity, -4.0, 0.5}, GetParam());
    EXPECT_EQ(form_of(wire), marked) << tested.implementation;
    const auto values = decoded(*tested.codec, wire, 4);
    EXPECT_EQ(values[0], 1.0);
    EXPECT_TRUE(std::isnan(values[1]));
    EXPECT_EQ(values[2], -4.0);
    EXPECT_EQ(values[3], 0.5);
  }
}

/// Just under the limit of the transform the decoded elements are the largest that there are.
TEST_P(FourBitRows, DecodesToFiniteNumbersUpToTheLimitOfTheTransform) {
  const double limit = GetParam() == ElementType::float16 ? 0x1p12 : 0x1p100;
  const std::vector<double> factors = noise(50 * row_elements, 7);  // -4 to 4
  for (const double magnitude : {limit * 0.99609375, limit, limit * 8}) {
    std::vector<double> values;
    for (const double factor : factors) values.push_back(std::pow(factor / 4.0, 3) * magnitude);
    for (std::size_t row = 0; row < 50; ++row) values[row * row_elements] = magnitude;
    for (const TestedCodec& tested : codecs()) {
      const Wire wire = encode_values(*tested.codec, values, GetParam());
      for (std::size_t row = 0; row < 50; ++row) ASSERT_EQ(form_of(wire, row), magnitude < limit ? transformed : plain);
      for (const double value : decoded(*tested.codec, wire, values.size())) ASSERT_TRUE(std::isfinite(value));
    }
  }
}

/// Sums of what is exact in a row: one coefficient a block in all contributions.
TEST_P(FourBitRows, SumsTransformedRowsWithoutAnotherRounding) {
  std::vector<double> first(row_elements), second(row_elements), sum(row_elements);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    for (std::size_t i = 0; i < 32; ++i) {
      const std::size_t place = blocks[block][i];
      // Single elements become 32 equal coefficients, which are far from smooth.
      first[place] = i == block ? 3.0 : 0.0;
      second[place] = i == block ? 1.0 : 0.0;
      sum[place] = first[place] + second[place];
    }
  }
  for (const TestedCodec& tested : codecs()) {
    const Wire a = encode_values(*tested.codec, first, GetParam()),
               b = encode_values(*tested.codec, second, GetParam());
    ASSERT_EQ(form_of(a), transformed);
    ASSERT_EQ(form_of(b), transformed);
    Wire result(format, row_elements);
    const std::array<const std::byte*, 2> sources = {a.data(), b.data()};
    tested.codec->reduce(sources.data(), 2, row_elements, ReduceOp::sum, result.data());
    EXPECT_EQ(form_of(result), transformed);
    EXPECT_EQ(decoded(*tested.codec, result, row_elements), sum) << tested.implementation;
  }
}

/// Rows of different forms meet: each form with each other one.
TEST_P(FourBitRows, SumsRowsOfDifferentForms) {
  std::vector<std::vector<double>> rows(3, std::vector<double>(row_elements, 0.0));
  for (std::size_t block = 0; block < blocks.size(); ++block) rows[0][blocks[block][block]] = 2.0;
  std::fill(rows[1].begin(), rows[1].end(), 4.0);
  rows[2][7] = infinity;
  for (const TestedCodec& tested : codecs()) {
    std::vector<Wire> wires;
    for (const auto& row : rows) wires.push_back(encode_values(*tested.codec, row, GetParam()));
    for (unsigned form = 0; form < 3; ++form) ASSERT_EQ(form_of(wires[form]), form) << tested.implementation;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        Wire result(format, row_elements);
        const std::array<const std::byte*, 2> sources = {wires[i].data(), wires[j].data()};
        tested.codec->reduce(sources.data(), 2, row_elements, ReduceOp::sum, result.data());
        ASSERT_FALSE(result.has_hole());
        const auto values = decoded(*tested.codec, result, row_elements);
        for (std::size_t k = 0; k < row_elements; ++k) {
          const double exact = rows[i][k] + rows[j][k];
          if (std::isfinite(exact)) {
            ASSERT_EQ(values[k], exact) << tested.implementation << " forms " << i << " " << j;
          } else {
            ASSERT_FALSE(std::isfinite(values[k])) << tested.implementation << " forms " << i << " " << j;
          }
        }
      }
    }
  }
}

/// A sum that the type cannot hold is not finite, and its neighbours stay what they are.
TEST_P(FourBitRows, SumsOverflowWhereTheElementTypeDoes) {
  const double top = std::ldexp(1.0, GetParam() == ElementType::float16 ? 15 : 127);
  for (const TestedCodec& tested : codecs()) {
    const Wire wire = encode_values(*tested.codec, {top, top / 2, -top, 0.0}, GetParam());
    Wire result(format, 4);
    const std::array<const std::byte*, 2> sources = {wire.data(), wire.data()};
    tested.codec->reduce(sources.data(), 2, 4, ReduceOp::sum, result.data());
    const auto values = decoded(*tested.codec, result, 4);
    EXPECT_FALSE(std::isfinite(values[0])) << tested.implementation;
    EXPECT_EQ(values[1], top) << tested.implementation;
    EXPECT_FALSE(std::isfinite(values[2])) << tested.implementation;
    EXPECT_EQ(values[3], 0.0) << tested.implementation;
  }
}

}  // namespace
}  // namespace airamp::codec::test
