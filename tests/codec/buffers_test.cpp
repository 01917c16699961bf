// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Any number of elements at any alignment; nothing is written behind the output.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "tests/codec/codec_test_support.hpp"

namespace airamp::codec::test {
namespace {

constexpr std::array<std::size_t, 27> counts = {0,   1,   7,   8,   9,   31,  32,  33,  119, 120, 127, 128, 247, 248,
                                                249, 471, 472, 495, 496, 497, 639, 640, 641, 959, 960, 961, 1921};

class Buffers : public testing::TestWithParam<FormatAndType> {};
INSTANTIATE_TEST_SUITE_P(, Buffers, testing::ValuesIn(all_formats_and_types()),
                         [](const auto& test) { return name_of(test.param); });

std::vector<std::byte> random_elements(std::size_t count, ElementType type) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<std::uint32_t> bits(count);
  std::generate(bits.begin(), bits.end(), std::ref(random));
  return pack(bits, type);
}

TEST_P(Buffers, PartialRowIsPaddedWithZeros) {
  const auto [format, type] = GetParam();
  for (const TestedCodec& tested : all_codecs(format, type)) {
    for (const std::size_t count : counts) {
      const std::vector<std::byte> elements = random_elements(count, type);
      std::vector<std::byte> padded(wire_rows(format, count) * wire_row_elements(format) * size_of(type), std::byte{0});
      std::copy(elements.begin(), elements.end(), padded.begin());
      Wire wire(format, count), whole(format, count);
      tested.codec->encode(elements.data(), count, wire.data());
      tested.codec->encode(padded.data(), padded.size() / size_of(type), whole.data());
      EXPECT_TRUE(wire == whole) << tested.implementation << " " << count;
      EXPECT_TRUE(wire.guard_intact()) << tested.implementation << " " << count;
      EXPECT_FALSE(wire.has_hole()) << tested.implementation << " " << count;
    }
  }
}

TEST_P(Buffers, AlignmentDoesNotMatter) {
  const auto [format, type] = GetParam();
  for (const TestedCodec& tested : all_codecs(format, type)) {
    for (const std::size_t count : {std::size_t{249}, std::size_t{993}}) {
      const std::vector<std::byte> elements = random_elements(count, type);
      Wire expected(format, count);
      host_reference_codec(format, type).encode(elements.data(), count, expected.data());
      std::vector<std::byte> expected_output(elements.size());
      host_reference_codec(format, type).decode(expected.data(), count, expected_output.data());
      for (std::size_t offset = 0; offset < 64; offset += 3) {
        std::vector<std::byte> moved(elements.size() + offset);
        std::copy(elements.begin(), elements.end(), moved.begin() + static_cast<std::ptrdiff_t>(offset));
        Wire wire(format, count);
        tested.codec->encode(moved.data() + offset, count, wire.data());
        ASSERT_TRUE(wire == expected) << tested.implementation << " offset " << offset;
        tested.codec->decode(wire.data(), count, moved.data() + offset);
        ASSERT_EQ(std::memcmp(moved.data() + offset, expected_output.data(), elements.size()), 0)
            << tested.implementation << " offset " << offset;
      }
    }
  }
}

TEST_P(Buffers, DecodeWritesTheElementsAndNothingElse) {
  const auto [format, type] = GetParam();
  constexpr std::size_t guard = 256;
  for (const TestedCodec& tested : all_codecs(format, type)) {
    for (const std::size_t count : counts) {
      const std::vector<std::byte> elements = random_elements(count, type);
      Wire wire(format, count);
      tested.codec->encode(elements.data(), count, wire.data());
      std::vector<std::byte> output(elements.size() + 2 * guard, std::byte{0xa5});
      tested.codec->decode(wire.data(), count, output.data() + guard);
      std::vector<std::byte> whole(wire_rows(format, count) * wire_row_elements(format) * size_of(type));
      tested.codec->decode(wire.data(), whole.size() / size_of(type), whole.data());
      EXPECT_TRUE(std::equal(output.begin() + guard, output.end() - guard, whole.begin())) << count;
      for (std::size_t i = 0; i < guard; ++i) {
        ASSERT_EQ(output[i], std::byte{0xa5}) << tested.implementation << " " << count;
        ASSERT_EQ(output[output.size() - 1 - i], std::byte{0xa5}) << tested.implementation << " " << count;
      }
    }
  }
}

TEST_P(Buffers, AccumulateAndReduceKeepToTheirRows) {
  const auto [format, type] = GetParam();
  for (const TestedCodec& tested : all_codecs(format, type)) {
    for (const std::size_t count : counts) {
      const std::vector<std::byte> elements = random_elements(count, type);
      Wire wire(format, count), result(format, count);
      tested.codec->encode(elements.data(), count, wire.data());
      for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) {
        std::vector<float> accumulators(wire_rows(format, count) * wire_row_elements(format) + 32, 7.0f);
        tested.codec->accumulate(wire.data(), count, op, accumulators.data());
        EXPECT_TRUE(std::all_of(accumulators.end() - 32, accumulators.end(), [](float x) { return x == 7.0f; }))
            << tested.implementation << " " << count;
        const std::byte* sources[] = {wire.data(), wire.data()};
        tested.codec->reduce(sources, 2, count, op, result.data());
        EXPECT_TRUE(result.guard_intact()) << tested.implementation << " " << count;
      }
    }
  }
}

}  // namespace
}  // namespace airamp::codec::test
