// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/op_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "codec/element_conversion.hpp"

namespace airamp::pmpi {
namespace {

using Operation = std::function<std::uint16_t(std::uint16_t in, std::uint16_t inout)>;

std::optional<HalfReduction> probed(const Operation& operation) {
  const ProbeVectors vectors = probe_vectors();
  std::array<std::uint16_t, ProbeVectors::length> result{};
  std::transform(vectors.in.begin(), vectors.in.end(), vectors.inout.begin(), result.begin(), operation);
  return recognise(result);
}

float from16(std::uint16_t bits) { return codec::float_from_float16(bits); }
float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }
std::uint16_t to16(float value) { return codec::float16_from_float(value); }
std::uint16_t to_bf16(float value) { return codec::bfloat16_from_float(value); }
std::uint16_t truncated_bf16(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
}
float nan_max(float a, float b) { return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b); }

TEST(OpProbe, RecognisesSumsHoweverTheyRound) {
  EXPECT_EQ(probed([](auto a, auto b) { return to16(from16(a) + from16(b)); }),
            (HalfReduction{ElementType::float16, ReduceOp::sum}));
  EXPECT_EQ(probed([](auto a, auto b) { return to_bf16(from_bf16(a) + from_bf16(b)); }),
            (HalfReduction{ElementType::bfloat16, ReduceOp::sum}));
  EXPECT_EQ(probed([](auto a, auto b) { return truncated_bf16(from_bf16(a) + from_bf16(b)); }),
            (HalfReduction{ElementType::bfloat16, ReduceOp::sum}));
}

// Those in use differ in whether a number wins over a NaN, and the commonest, a > b ? a : b, leaves it to their order.
TEST(OpProbe, RecognisesExtremesHoweverTheyTreatNan) {
  const HalfReduction max16{ElementType::float16, ReduceOp::max};
  const HalfReduction min16{ElementType::float16, ReduceOp::min};
  EXPECT_EQ(probed([](auto a, auto b) { return from16(a) > from16(b) ? a : b; }), max16);
  EXPECT_EQ(probed([](auto a, auto b) { return from16(a) < from16(b) ? b : a; }), max16);
  EXPECT_EQ(probed([](auto a, auto b) { return to16(nan_max(from16(a), from16(b))); }), max16);
  EXPECT_EQ(probed([](auto a, auto b) { return to16(std::fmax(from16(a), from16(b))); }), max16);
  EXPECT_EQ(probed([](auto a, auto b) { return from16(a) < from16(b) ? a : b; }), min16);
  EXPECT_EQ(probed([](auto a, auto b) { return to16(std::fmin(from16(a), from16(b))); }), min16);
  EXPECT_EQ(probed([](auto a, auto b) { return from_bf16(a) > from_bf16(b) ? a : b; }),
            (HalfReduction{ElementType::bfloat16, ReduceOp::max}));
  EXPECT_EQ(probed([](auto a, auto b) { return to_bf16(nan_max(from_bf16(a), from_bf16(b))); }),
            (HalfReduction{ElementType::bfloat16, ReduceOp::max}));
  EXPECT_EQ(probed([](auto a, auto b) { return to_bf16(std::fmin(from_bf16(a), from_bf16(b))); }),
            (HalfReduction{ElementType::bfloat16, ReduceOp::min}));
}

TEST(OpProbe, RefusesSumsThatDoNotOverflow) {
  const auto saturated = [](float sum, float largest) { return std::clamp(sum, -largest, largest); };
  const float most16 = 65504;
  const float max_bf16 = from_bf16(0x7f7f);
  EXPECT_EQ(probed([&](auto a, auto b) { return to16(saturated(from16(a) + from16(b), most16)); }), std::nullopt);
  EXPECT_EQ(probed([&](auto a, auto b) { return to_bf16(saturated(from_bf16(a) + from_bf16(b), max_bf16)); }),
            std::nullopt);
  EXPECT_EQ(probed([&](auto a, auto b) { return to16(std::fmin(from16(a) + from16(b), most16)); }), std::nullopt);
  EXPECT_EQ(probed([&](auto a, auto b) { return to16(std::fmax(from16(a) + from16(b), -most16)); }), std::nullopt);
}

TEST(OpProbe, RefusesSumsThatLoseNan) {
  const auto or_zero = [](float x) { return std::isnan(x) ? 0.0F : x; };
  const auto lost_of_one = [&](float a, float b) {
    return std::isnan(a) && std::isnan(b) ? a : or_zero(a) + or_zero(b);
  };
  EXPECT_EQ(probed([&](auto a, auto b) { return to16(lost_of_one(from16(a), from16(b))); }), std::nullopt);
  EXPECT_EQ(probed([&](auto a, auto b) { return to_bf16(lost_of_one(from_bf16(a), from_bf16(b))); }), std::nullopt);
}

TEST(OpProbe, RecognisesNothingElse) {
  const auto as_int = [](std::uint16_t x) { return static_cast<std::int16_t>(x); };
  const Operation others[] = {
      [](auto a, auto b) { return static_cast<std::uint16_t>(a + b); },
      [](auto a, auto b) { return static_cast<std::uint16_t>(a * b); },
      [](auto a, auto b) { return std::max(a, b); },
      [](auto a, auto b) { return std::min(a, b); },
      [&](auto a, auto b) { return as_int(a) > as_int(b) ? a : b; },
      [&](auto a, auto b) { return as_int(a) < as_int(b) ? a : b; },
      [](auto a, auto b) { return static_cast<std::uint16_t>(a & b); },
      [](auto a, auto b) { return static_cast<std::uint16_t>(a | b); },
      [](auto a, auto b) { return static_cast<std::uint16_t>(a ^ b); },
      [](auto a, auto) { return a; },
      [](auto, auto b) { return b; },
      [](auto, auto) { return std::uint16_t{0}; },
      [](auto, auto) { return std::uint16_t{0xffff}; },
      [](auto a, auto b) { return to16(from16(a) * from16(b)); },
      [](auto a, auto b) { return to_bf16(from_bf16(a) * from_bf16(b)); },
      [](auto a, auto b) { return to16((from16(a) + from16(b)) / 2); },
      [](auto a, auto b) { return to16(from16(a) - from16(b)); },
      [](auto a, auto b) { return std::fabs(from16(a)) > std::fabs(from16(b)) ? a : b; },
      // two NaNs make a NaN, but one and a number zero
      [](auto a, auto b) { return std::isnan(from16(a)) != std::isnan(from16(b)) ? 0
                                  : from16(a) > from16(b)                        ? a
                                                                                 : b; },
      [](auto a, auto b) { return static_cast<std::uint16_t>(to16(from16(a) + from16(b)) + (a == 0 ? 1 : 0)); },
  };
  for (std::size_t i = 0; i < std::size(others); ++i) EXPECT_EQ(probed(others[i]), std::nullopt) << "operation " << i;
}

/// What an operation shows of itself on pairs of the program's.
Evidence shown(const Operands& operands, const Operation& operation) {
  std::vector<std::uint16_t> result(operands.in.size());
  std::transform(operands.in.begin(), operands.in.end(), operands.inout.begin(), result.begin(), operation);
  return judge(operands, result);
}

Operands numbers(std::uint16_t (*encode)(float), float smallest, float step) {
  Operands operands;
  for (int i = 0; i < 100; ++i) {
    operands.in.push_back(encode(smallest + step * static_cast<float>(i)));
    operands.inout.push_back(encode(smallest + step * static_cast<float>(i * 37 % 100)));
  }
  return operands;
}

Operands indices(std::uint16_t end) {
  Operands operands;
  for (std::uint16_t i = 0; i < 100; ++i) {
    operands.in.push_back(static_cast<std::uint16_t>(i % end));
    operands.inout.push_back(static_cast<std::uint16_t>(i * 37 % end));
  }
  return operands;
}

const Operation sum_of_float16 = [](auto a, auto b) { return to16(from16(a) + from16(b)); };
const Operation max_of_float16 = [](auto a, auto b) { return from16(a) > from16(b) ? a : b; };
const Operation sum_of_integers = [](auto a, auto b) { return static_cast<std::uint16_t>(a + b); };
const Operation max_of_integers = [](auto a, auto b) { return std::max(a, b); };

TEST(OpEvidence, KnowsReductionsOfHalvesByTheProgramsNumbers) {
  const Operands of_both_signs = numbers(to16, -3.1F, 0.07F);
  EXPECT_EQ(shown(of_both_signs, sum_of_float16), Evidence::half);
  EXPECT_EQ(shown(of_both_signs, max_of_float16), Evidence::half);
  EXPECT_EQ(shown(numbers(to16, 1, 0), sum_of_float16), Evidence::half);
  EXPECT_EQ(shown(numbers(truncated_bf16, -3.1F, 0.07F),
                  [](auto a, auto b) { return truncated_bf16(from_bf16(a) + from_bf16(b)); }),
            Evidence::half);
  // subnormal numbers, of hardware that flushes them
  EXPECT_NE(shown(numbers(to16, 0, 0x1p-20F),
                  [](auto a, auto b) {
                    return std::fabs(from16(a) + from16(b)) < 0x1p-14F ? std::uint16_t{0} : to16(from16(a) + from16(b));
                  }),
            Evidence::other);
}

TEST(OpEvidence, KnowsWhatIsNone) {
  const Operands of_both_signs = numbers(to16, -3.1F, 0.07F);
  EXPECT_EQ(shown(of_both_signs, sum_of_integers), Evidence::other);
  EXPECT_EQ(shown(of_both_signs, max_of_integers), Evidence::other);
  EXPECT_EQ(shown(of_both_signs, [](auto a, auto b) { return to16(from16(a) * from16(b)); }), Evidence::other);
  const auto score = [](std::uint16_t index) { return index * 37 % 64; };
  EXPECT_EQ(shown(indices(64), [&](auto a, auto b) { return score(a) > score(b) ? a : b; }), Evidence::other);
}

// Small integers are subnormal halves, whose sums and maxima are those of the integers.
TEST(OpEvidence, SaysNothingWhereNumbersTellNothingApart) {
  EXPECT_EQ(shown(indices(64), sum_of_integers), Evidence::too_little);
  EXPECT_EQ(shown(indices(64), sum_of_float16), Evidence::too_little);
  EXPECT_EQ(shown(indices(64), max_of_integers), Evidence::too_little);
  EXPECT_EQ(shown(numbers(to16, 0, 0), sum_of_float16), Evidence::too_little);
  EXPECT_EQ(shown({{to16(1)}, {to16(2)}}, sum_of_float16), Evidence::too_little);
  EXPECT_EQ(shown(numbers(to16, 1, 0.5F), max_of_float16), Evidence::too_little);  // those of integers, where positive
  EXPECT_EQ(shown({}, sum_of_float16), Evidence::too_little);
}

}  // namespace
}  // namespace airamp::pmpi
