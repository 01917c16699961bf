// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/op_probe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

namespace airamp::pmpi {
namespace {

using gpu::ElementType;
using gpu::ReduceOp;

// Pairs of patterns that are normal numbers in FP16 and in BF16, of every mix of signs, and whose sums are normal
// numbers that either format holds exactly: an operation may round as it likes.
constexpr std::array<std::pair<std::uint16_t, std::uint16_t>, 12> number_pairs = {{
    {0x3e00, 0x4080},  // FP16 1.5 + 2.25, BF16 0.125 + 4
    {0x4080, 0x3e00},
    {0xbe00, 0x4080},
    {0x3e00, 0xc080},
    {0xbe00, 0xc080},
    {0xc080, 0xbe00},
    {0x4000, 0x4100},  // FP16 2 + 2.5, BF16 2 + 8
    {0xc000, 0xc100},
    {0x4100, 0xc000},
    {0x3c00, 0x3d00},  // FP16 1 + 1.25, BF16 0.0078125 + 0.03125
    {0xbc00, 0xbd00},
    {0xbd00, 0x3c00},
}};

// The order of the bit patterns is the same in both formats, so max and min tell them apart only where FP16 has NaNs
// and BF16 has large numbers. Which of two FP16 NaNs an operation returns, and how it changes its payload, is its own
// affair; but a BF16 operation returns the same number whatever the order of its arguments.
constexpr std::uint16_t smaller_nan = 0x7d23;
constexpr std::uint16_t larger_nan = 0x7d45;

constexpr std::size_t first_nan = number_pairs.size();

bool float16_nan(std::uint16_t bits) { return (bits & 0x7c00U) == 0x7c00U && (bits & 0x03ffU) != 0; }

float decode(std::uint16_t bits, ElementType type) {
  if (type == ElementType::bfloat16) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16U;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
  }
  const int exponent = static_cast<int>(bits >> 10U & 0x1fU) - 25;
  const float magnitude = std::ldexp(static_cast<float>(0x400U | (bits & 0x3ffU)), exponent);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

bool is_sum(std::size_t i, std::uint16_t result, ElementType type) {
  const auto [a, b] = number_pairs[i];
  return decode(result, type) == decode(a, type) + decode(b, type);
}

bool is_extreme(std::size_t i, std::uint16_t result, ReduceOp op) {
  const auto [a, b] = number_pairs[i];
  const bool first_larger = decode(a, ElementType::float16) > decode(b, ElementType::float16);
  return result == (first_larger == (op == ReduceOp::max) ? a : b);
}

template <class Test>
bool all_numbers(const std::array<std::uint16_t, ProbeVectors::length>& result, Test&& test) {
  for (std::size_t i = 0; i < number_pairs.size(); ++i) {
    if (!test(i, result[i])) return false;
  }
  return true;
}

}  // namespace

ProbeVectors probe_vectors() {
  ProbeVectors vectors{};
  for (std::size_t i = 0; i < number_pairs.size(); ++i) std::tie(vectors.in[i], vectors.inout[i]) = number_pairs[i];
  vectors.in[first_nan] = smaller_nan;
  vectors.inout[first_nan] = larger_nan;
  vectors.in[first_nan + 1] = larger_nan;
  vectors.inout[first_nan + 1] = smaller_nan;
  return vectors;
}

std::optional<HalfReduction> recognise(const std::array<std::uint16_t, ProbeVectors::length>& result) {
  // beyond the patterns both vectors are zero, and so is every sum, maximum and minimum
  if (std::any_of(result.begin() + first_nan + 2, result.end(), [](std::uint16_t bits) { return bits != 0; })) {
    return std::nullopt;
  }
  const std::uint16_t one_way = result[first_nan];
  const std::uint16_t other_way = result[first_nan + 1];
  const bool nan = float16_nan(one_way) && float16_nan(other_way);
  for (ElementType type : {ElementType::float16, ElementType::bfloat16}) {
    const auto sums = [type](std::size_t i, std::uint16_t bits) { return is_sum(i, bits, type); };
    // a sum of FP16 NaNs is a NaN; as BF16 numbers the two add up to about 2^124, which has FP16's largest exponent too
    if (nan && all_numbers(result, sums)) return HalfReduction{type, ReduceOp::sum};
  }
  for (ReduceOp op : {ReduceOp::max, ReduceOp::min}) {
    const auto extremes = [op](std::size_t i, std::uint16_t bits) { return is_extreme(i, bits, op); };
    if (!all_numbers(result, extremes)) continue;
    const std::uint16_t as_numbers = op == ReduceOp::max ? larger_nan : smaller_nan;
    if (one_way == as_numbers && other_way == as_numbers) return HalfReduction{ElementType::bfloat16, op};
    if (nan) return HalfReduction{ElementType::float16, op};
  }
  return std::nullopt;
}

}  // namespace airamp::pmpi
