// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The SIMD codecs give the reference's bits, for any input.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "codec/codec.hpp"
#include "codec/host_targets.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "tests/codec/codec_test_support.hpp"

namespace airamp::codec::test {
namespace {

class SimdEquivalence : public testing::TestWithParam<FormatAndType> {};
INSTANTIATE_TEST_SUITE_P(, SimdEquivalence, testing::ValuesIn(all_formats_and_types()),
                         [](const auto& test) { return name_of(test.param); });

void expect_same(const FormatAndType& parameter, const std::vector<std::uint32_t>& elements) {
  const auto [format, type] = parameter;
  const Wire expected = encode(host_reference_codec(format, type), elements, type);
  ASSERT_FALSE(expected.has_hole());
  const auto decoded = decode(host_reference_codec(format, type), expected, elements.size(), type);
  for (const TestedCodec& tested : simd_codecs(format, type)) {
    ASSERT_TRUE(encode(*tested.codec, elements, type) == expected) << tested.implementation;
    ASSERT_EQ(decode(*tested.codec, expected, elements.size(), type), decoded) << tested.implementation;
  }
}

TEST(HostCodec, IsTheFastestTargetThatRunsHere) {
  for (const auto& [format, type] : all_formats_and_types()) {
    const auto targets = runnable_host_targets();
    const Codec& best =
        targets.empty() ? host_reference_codec(format, type) : codec_of(*targets.front().codecs, format, type);
    EXPECT_EQ(&host_codec(format, type), &best);
  }
}

TEST_P(SimdEquivalence, RandomBits) {
  std::mt19937 random(11);
  for (int round = 0; round < 4; ++round) {
    std::vector<std::uint32_t> elements(200 * wire_row_elements(GetParam().format) +
                                        static_cast<std::size_t>(round) * 131);
    for (auto& bits : elements) bits = random();
    expect_same(GetParam(), elements);
  }
}

/// Elements of a block within a few binades, so that few of them vanish, for blocks of every exponent; some rows with
/// elements that are not finite.
TEST_P(SimdEquivalence, EveryExponent) {
  const ElementType type = GetParam().type;
  const int mantissa_bits = type == ElementType::float32 ? 23 : type == ElementType::bfloat16 ? 7 : 10;
  const int exponents = type == ElementType::float16 ? 32 : 256;
  std::mt19937 random(13);
  std::vector<std::uint32_t> elements;
  for (int exponent = 0; exponent < exponents; ++exponent) {
    for (std::size_t i = 0; i < 4 * wire_row_elements(GetParam().format); ++i) {
      const int own = std::max(exponent - static_cast<int>(random() % 20), 0);
      const std::uint32_t mantissa = random() & ((1u << mantissa_bits) - 1);
      const std::uint32_t sign = (random() & 1u) << (size_of(type) * 8 - 1);
      elements.push_back(sign | static_cast<std::uint32_t>(own) << mantissa_bits | mantissa);
    }
  }
  expect_same(GetParam(), elements);
  for (std::size_t i = 0; i < elements.size(); i += 700) {
    elements[i] |= static_cast<std::uint32_t>(exponents - 1) << mantissa_bits;
  }
  expect_same(GetParam(), elements);
}

/// Ties and their neighbours, which random bits of binary32 would hardly meet.
TEST_P(SimdEquivalence, ShortSignificands) {
  const ElementType type = GetParam().type;
  std::mt19937 random(17);
  std::vector<std::uint32_t> elements(1000 * wire_row_elements(GetParam().format));
  for (auto& bits : elements) {
    const auto magnitude = static_cast<double>(random() % 512) * std::ldexp(1.0, -static_cast<int>(random() % 12));
    bits = bits_of(random() % 2 == 0 ? magnitude : -magnitude, type) + (random() % 8 == 0 ? 1u : 0u);
  }
  expect_same(GetParam(), elements);
}

/// Every byte of a wire that arrives may be any, except that 0xff is never sent.
TEST_P(SimdEquivalence, DecodesAndReducesRandomWires) {
  const auto [format, type] = GetParam();
  std::mt19937 random(19);
  const Codec& reference = host_reference_codec(format, type);
  for (int round = 0; round < 40; ++round) {
    const std::size_t elements = 2 * wire_row_elements(format);
    std::vector<Wire> wires;
    std::vector<const std::byte*> sources;
    for (int k = 0; k < 3; ++k) {
      Wire& wire = wires.emplace_back(format, elements);
      for (std::size_t i = 0; i < wire.bytes(); ++i) wire.data()[i] = static_cast<std::byte>(random() % 255);
      for (std::size_t i = 0; round % 2 == 0 && i < 1024; ++i) {
        if (i % 512 >= 480) wire.data()[i] = static_cast<std::byte>(120 + random() % 16);
      }
      // Every form of a row of 4 bits, and several of one form.
      for (std::size_t row = 0; format == WireFormat::mxfp4 && row < 1024; row += 512) {
        wire.data()[row + 510] = static_cast<std::byte>(round % 4 == 0 ? 0u : random() % 4);
      }
    }
    for (const Wire& wire : wires) sources.push_back(wire.data());
    for (const TestedCodec& tested : simd_codecs(format, type)) {
      ASSERT_EQ(decode(*tested.codec, wires[0], elements, type), decode(reference, wires[0], elements, type));
      for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) {
        std::vector<float> expected(elements), accumulators;
        for (auto& value : expected) value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        accumulators = expected;
        reference.accumulate(wires[1].data(), elements, op, expected.data());
        tested.codec->accumulate(wires[1].data(), elements, op, accumulators.data());
        ASSERT_TRUE(same_values(accumulators, expected)) << tested.implementation;
        Wire expected_result(format, elements), result(format, elements);
        reference.reduce(sources.data(), sources.size(), elements, op, expected_result.data());
        tested.codec->reduce(sources.data(), sources.size(), elements, op, result.data());
        ASSERT_TRUE(result == expected_result) << tested.implementation;
      }
    }
  }
}

}  // namespace
}  // namespace airamp::codec::test
