// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
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

namespace airamp::codec::test {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

class Reduce : public testing::TestWithParam<FormatAndType> {
 protected:
  /// The decoded result of reducing one wire per vector of values.
  static std::vector<double> reduced(const Codec& codec, const std::vector<std::vector<double>>& contributions,
                                     ReduceOp op) {
    const ElementType type = GetParam().type;
    std::vector<Wire> wires;
    std::vector<const std::byte*> sources;
    for (const auto& values : contributions) wires.push_back(encode_values(codec, values, type));
    for (const Wire& wire : wires) sources.push_back(wire.data());
    Wire result(codec.format, contributions[0].size());
    codec.reduce(sources.data(), sources.size(), contributions[0].size(), op, result.data());
    EXPECT_FALSE(result.has_hole());
    std::vector<double> values;
    for (const std::uint32_t bits : decode(codec, result, contributions[0].size(), type)) {
      values.push_back(value_of(bits, type));
    }
    return values;
  }

  static std::vector<TestedCodec> codecs() { return all_codecs(GetParam().format, GetParam().type); }
};
INSTANTIATE_TEST_SUITE_P(, Reduce, testing::ValuesIn(all_formats_and_types()),
                         [](const auto& test) { return name_of(test.param); });

template <class Predicate>
std::vector<FormatAndType> formats_and_types_with(Predicate predicate) {
  std::vector<FormatAndType> all = formats_and_types_without_transform();
  std::erase_if(all, [&predicate](const FormatAndType& parameter) { return !predicate(parameter); });
  return all;
}

/// What travels untransformed keeps short numbers exactly.
class ReduceExact : public Reduce {};
INSTANTIATE_TEST_SUITE_P(, ReduceExact, testing::ValuesIn(formats_and_types_without_transform()),
                         [](const auto& test) { return name_of(test.param); });

class ReduceWide : public Reduce {};
INSTANTIATE_TEST_SUITE_P(, ReduceWide, testing::ValuesIn(formats_and_types_with([](const FormatAndType& parameter) {
                           return parameter.type != ElementType::float16;
                         })),
                         [](const auto& test) { return name_of(test.param); });

class ReduceNarrow : public Reduce {};
INSTANTIATE_TEST_SUITE_P(, ReduceNarrow, testing::ValuesIn(formats_and_types_with([](const FormatAndType& parameter) {
                           return parameter.type != ElementType::float32;
                         })),
                         [](const auto& test) { return name_of(test.param); });

class ReduceWithTwoZeros : public Reduce {};
INSTANTIATE_TEST_SUITE_P(, ReduceWithTwoZeros,
                         testing::ValuesIn(formats_and_types_with([](const FormatAndType& parameter) {
                           return parameter.format != WireFormat::mxint8;
                         })),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(ReduceExact, SumMaxMinOfExactValues) {
  for (const TestedCodec& tested : codecs()) {
    const std::vector<std::vector<double>> contributions = {
        {1, -2, 0.5, -0.0}, {2, 1, -1.5, -0.0}, {0.5, 0.5, 3, -0.0}};
    EXPECT_EQ(reduced(*tested.codec, contributions, ReduceOp::sum), (std::vector<double>{3.5, -0.5, 2, 0}));
    EXPECT_EQ(reduced(*tested.codec, contributions, ReduceOp::max), (std::vector<double>{2, 1, 3, 0}));
    EXPECT_EQ(reduced(*tested.codec, contributions, ReduceOp::min), (std::vector<double>{0.5, -2, -1.5, 0}));
    const auto sum = reduced(*tested.codec, contributions, ReduceOp::sum);
    EXPECT_FALSE(std::signbit(sum[3])) << "a sum starts from +0";
  }
}

TEST_P(ReduceWide, SumsInTheOrderGiven) {
  // In binary32 2^26 + 1 is 2^26; binary16 has no such number.
  for (const TestedCodec& tested : codecs()) {
    EXPECT_EQ(reduced(*tested.codec, {{0x1p26}, {1}, {-0x1p26}}, ReduceOp::sum), std::vector<double>{0});
    EXPECT_EQ(reduced(*tested.codec, {{0x1p26}, {-0x1p26}, {1}}, ReduceOp::sum), std::vector<double>{1});
  }
}

TEST_P(ReduceExact, OneToSevenWiresAgreeWithAccumulatingAndEncodingThem) {
  const auto [format, type] = GetParam();
  std::mt19937 random(23);
  std::normal_distribution<float> normal;
  const std::size_t row = wire_row_elements(format), elements = 3 * row + 77;
  for (std::size_t count = 1; count <= 7; ++count) {
    std::vector<Wire> wires;
    std::vector<const std::byte*> sources;
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<std::uint32_t> bits(elements);
      for (auto& value : bits) value = bits_of(std::round(normal(random) * 256) / 64, type);
      // Poison at places of its own, which is no reason to change any other element.
      bits[random() % elements] = bits_of(nan_value, type);
      bits[random() % elements] = bits_of(-infinity, type);
      wires.push_back(encode(host_reference_codec(format, type), bits, type));
    }
    for (const Wire& wire : wires) sources.push_back(wire.data());
    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) {
      // Sums this small are far from every overflow, so the result is that of encoding the sums as binary32.
      std::vector<float> sums = decode_exactly(host_reference_codec(format, type), wires[0], 4 * row);
      if (op == ReduceOp::sum) {
        for (float& sum : sums) sum += 0.0f;
      }
      for (std::size_t k = 1; k < count; ++k) {
        const auto values = decode_exactly(host_reference_codec(format, type), wires[k], 4 * row);
        for (std::size_t i = 0; i < sums.size(); ++i) {
          const bool poison = std::isnan(sums[i]) || std::isnan(values[i]);
          sums[i] = poison                ? std::nanf("")
                    : op == ReduceOp::sum ? sums[i] + values[i]
                    : op == ReduceOp::max ? std::max(sums[i], values[i])
                                          : std::min(sums[i], values[i]);
        }
      }
      Wire expected(format, elements);
      host_reference_codec(format, ElementType::float32).encode(sums.data(), sums.size(), expected.data());
      for (const TestedCodec& tested : codecs()) {
        Wire result(format, elements);
        tested.codec->reduce(sources.data(), count, elements, op, result.data());
        EXPECT_TRUE(result == expected) << tested.implementation << " " << count << " wires";
      }
    }
  }
}

TEST_P(Reduce, ResultMayBeASource) {
  const auto [format, type] = GetParam();
  for (const TestedCodec& tested : codecs()) {
    for (std::size_t target = 0; target < 3; ++target) {
      std::vector<Wire> wires;
      std::vector<const std::byte*> sources;
      for (int k = 0; k < 3; ++k) {
        std::vector<double> values(1000);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>((i * 37 + k * 11) % 256) - 100;
        wires.push_back(encode_values(*tested.codec, values, type));
      }
      for (const Wire& wire : wires) sources.push_back(wire.data());
      Wire expected(format, 1000);
      tested.codec->reduce(sources.data(), 3, 1000, ReduceOp::sum, expected.data());
      tested.codec->reduce(sources.data(), 3, 1000, ReduceOp::sum, wires[target].data());
      EXPECT_TRUE(wires[target] == expected) << tested.implementation;
    }
  }
}

TEST_P(Reduce, PoisonStaysPoisonAndItsNeighboursStayNumbers) {
  for (const TestedCodec& tested : codecs()) {
    for (const double poison : {nan_value, infinity, -infinity}) {
      for (std::size_t position = 0; position < 3; ++position) {
        for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) {
          std::vector<std::vector<double>> contributions(3, std::vector<double>{1, 1, 1});
          contributions[position][1] = poison;
          const auto result = reduced(*tested.codec, contributions, op);
          EXPECT_EQ(result[0], op == ReduceOp::sum ? 3 : 1) << tested.implementation;
          EXPECT_FALSE(std::isfinite(result[1])) << tested.implementation << " wire " << position;
          EXPECT_EQ(result[2], op == ReduceOp::sum ? 3 : 1) << tested.implementation;
        }
      }
    }
  }
}

TEST_P(ReduceWithTwoZeros, NumbersThatCompareEqualKeepTheFirst) {
  for (const TestedCodec& tested : codecs()) {
    for (const ReduceOp op : {ReduceOp::max, ReduceOp::min}) {
      EXPECT_TRUE(std::signbit(reduced(*tested.codec, {{-0.0, 1}, {0.0, 1}}, op)[0])) << tested.implementation;
      EXPECT_FALSE(std::signbit(reduced(*tested.codec, {{0.0, 1}, {-0.0, 1}}, op)[0])) << tested.implementation;
    }
  }
}

/// What the sum of a float16 or bfloat16 is in that type decides, whatever stands beside it.
TEST_P(ReduceExact, OverflowsWhereTheElementTypeDoes) {
  const ElementType type = GetParam().type;
  const int emax = type == ElementType::float16 ? 15 : 127;
  const double top = std::ldexp(1.0, emax);
  for (const TestedCodec& tested : codecs()) {
    for (const double sign : {1.0, -1.0}) {
      for (const double neighbour : {0.0, 0.75, -0.75, 1.0}) {
        const double beside = neighbour * top;
        // 1 + 0.5 and 1 + 0.75 times the top binade are numbers, 1 + 1 is not.
        const auto result = reduced(
            *tested.codec,
            {{sign * top, sign * top, sign * top, beside}, {0.5 * sign * top, 0.75 * sign * top, sign * top, 0}},
            ReduceOp::sum);
        EXPECT_EQ(result[0], sign * 1.5 * top) << tested.implementation;
        EXPECT_EQ(result[1], sign * 1.75 * top) << tested.implementation;
        EXPECT_FALSE(std::isfinite(result[2])) << tested.implementation;
        if (type == ElementType::float16) {
          EXPECT_EQ(result[2], sign * infinity) << tested.implementation;
        }
        EXPECT_EQ(result[3], beside) << tested.implementation;
      }
    }
  }
}

/// Sums on both sides of the border between the largest number and infinity, in steps finer than the type's. (Those of
/// binary32 are rounded by the addition already.)
TEST_P(ReduceNarrow, BorderOfOverflowIsThatOfTheElementType) {
  const ElementType type = GetParam().type;
  const int emax = type == ElementType::float16 ? 15 : 127;
  const int mantissa_bits = type == ElementType::float16 ? 10 : 7;
  const double top = std::ldexp(1.0, emax);
  const double border = std::ldexp(2.0 - std::ldexp(1.0, -mantissa_bits - 1), emax);
  for (const TestedCodec& tested : codecs()) {
    // Summands that every format holds exactly: halves of what is left, from 2^emax down.
    std::vector<std::vector<double>> contributions;
    double sum = 0.0;
    for (int bit = 0; bit <= mantissa_bits + 2; ++bit) {
      const double part = std::ldexp(top, -bit);
      contributions.push_back({part});
      sum += part;
      const bool finite = std::isfinite(reduced(*tested.codec, contributions, ReduceOp::sum)[0]);
      EXPECT_EQ(finite, sum < border) << tested.implementation << " " << sum;
    }
    // Just below the border.
    contributions.push_back({-std::ldexp(top, -mantissa_bits)});
    EXPECT_TRUE(std::isfinite(reduced(*tested.codec, contributions, ReduceOp::sum)[0])) << tested.implementation;
  }
}

}  // namespace
}  // namespace airamp::codec::test
