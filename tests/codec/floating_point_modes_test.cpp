// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The caller's rounding mode, flushing of subnormals and traps neither change the result nor are they changed.
#include <gtest/gtest.h>

#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "tests/codec/codec_test_support.hpp"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace airamp::codec::test {
namespace {

class FloatingPointModes : public testing::TestWithParam<FormatAndType> {
 protected:
  struct Results {
    Results(WireFormat format, std::size_t elements) : wire(format, elements), sum(format, elements) {}
    Wire wire, sum;
    std::vector<std::byte> output;
    std::vector<float> accumulators;
  };

  static Results run(const Codec& codec, const std::vector<std::byte>& elements) {
    const std::size_t count = elements.size() / size_of(GetParam().type);
    Results results(codec.format, count);
    codec.encode(elements.data(), count, results.wire.data());
    const std::byte* sources[] = {results.wire.data(), results.wire.data(), results.wire.data()};
    codec.reduce(sources, 3, count, ReduceOp::sum, results.sum.data());
    results.output.resize(elements.size());
    codec.decode(results.wire.data(), count, results.output.data());
    results.accumulators.assign(codec.rows(count) * codec.row_elements(), 0.1f);
    codec.accumulate(results.wire.data(), count, ReduceOp::sum, results.accumulators.data());
    return results;
  }

  /// Elements of every exponent, subnormal and not finite ones included.
  static std::vector<std::byte> random_elements() {
    std::mt19937 random(29);
    const ElementType type = GetParam().type;
    const int mantissa_bits = type == ElementType::float16 ? 10 : type == ElementType::bfloat16 ? 7 : 23;
    const std::size_t row = wire_row_elements(GetParam().format);
    std::vector<std::uint32_t> bits(40 * row);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const auto exponent = static_cast<std::uint32_t>(i / row / 2 + random() % 2);
      bits[i] = exponent << mantissa_bits | (random() & ((1u << mantissa_bits) - 1));
    }
    bits[1000] = bits_of(std::nan(""), type);
    return pack(bits, type);
  }

  static void expect_same(const Results& a, const Results& b, const std::string& implementation) {
    EXPECT_TRUE(a.wire == b.wire) << implementation;
    EXPECT_TRUE(a.sum == b.sum) << implementation;
    EXPECT_EQ(a.output, b.output) << implementation;
    EXPECT_TRUE(same_values(a.accumulators, b.accumulators)) << implementation;
  }
};
INSTANTIATE_TEST_SUITE_P(, FloatingPointModes, testing::ValuesIn(all_formats_and_types()),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(FloatingPointModes, RoundingModeOfTheCallerDoesNotMatter) {
  const auto elements = random_elements();
  for (const TestedCodec& tested : all_codecs(GetParam().format, GetParam().type)) {
    const Results expected = run(*tested.codec, elements);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const Results results = run(*tested.codec, elements);
      EXPECT_EQ(std::fegetround(), mode) << tested.implementation;
      std::fesetround(FE_TONEAREST);
      expect_same(results, expected, tested.implementation);
    }
  }
}

#if defined(__SSE2__)
TEST_P(FloatingPointModes, FlushingAndTrapsOfTheCallerDoNotMatter) {
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040, invalid_traps = 0x1f80 & ~0x0080u;
  const auto elements = random_elements();
  for (const TestedCodec& tested : all_codecs(GetParam().format, GetParam().type)) {
    const Results expected = run(*tested.codec, elements);
    for (const unsigned modes : {0x1f80u | flush_to_zero | denormals_are_zero, invalid_traps}) {
      const unsigned saved = _mm_getcsr();
      _mm_setcsr(modes);
      const Results results = run(*tested.codec, elements);
      const unsigned after = _mm_getcsr();
      _mm_setcsr(saved);
      EXPECT_EQ(after, modes) << tested.implementation << ": neither modes nor exception flags change";
      expect_same(results, expected, tested.implementation);
    }
  }
}
#endif

}  // namespace
}  // namespace airamp::codec::test
