// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/op_probe.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <tuple>
#include <utility>

#include "codec/element_conversion.hpp"
#include "codec/floating_point_scope.hpp"

namespace airamp::pmpi {
namespace {

// Whatever is a number in both formats adds up to a number that either holds exactly, or to far more than it can hold:
// an operation may round as it likes.
constexpr std::array<std::pair<std::uint16_t, std::uint16_t>, 20> pairs = {{
    {0x3e00, 0x4080},  // normal numbers of every mix of signs: FP16 1.5 + 2.25, BF16 0.125 + 4
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
    // The order of the bit patterns is the same in both formats, so max and min tell them apart only where FP16 has
    // NaNs and BF16 has large numbers.
    {0x7d23, 0x7d45},
    {0x7d45, 0x7d23},
    {0x7bff, 0x7bfd},  // FP16 overflows, BF16 does not
    {0xfbfd, 0xfbff},
    {0x7f7f, 0x7f7d},  // BF16 overflows; NaNs in FP16
    {0xff7d, 0xff7f},
    {0x7fc1, 0x4080},  // NaN and number in both
    {0x4080, 0x7fc1},
}};
static_assert(pairs.size() < ProbeVectors::length);

// BF16 first: what makes the same number of two FP16 NaNs whatever their order is not an operation on FP16.
constexpr std::array<HalfReduction, 6> every_reduction = {{{ElementType::bfloat16, ReduceOp::sum},
                                                           {ElementType::bfloat16, ReduceOp::max},
                                                           {ElementType::bfloat16, ReduceOp::min},
                                                           {ElementType::float16, ReduceOp::sum},
                                                           {ElementType::float16, ReduceOp::max},
                                                           {ElementType::float16, ReduceOp::min}}};

float decode(std::uint16_t bits, ElementType type) {
  return type == ElementType::float16 ? codec::float_from_float16(bits)
                                      : std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

std::uint16_t encode(float value, ElementType type) {
  return type == ElementType::float16 ? codec::float16_from_float(value) : codec::bfloat16_from_float(value);
}

/// Whether an operation like `reduction` may make `result` of `a` and `b`. Which of two NaNs a maximum or minimum
/// returns, how it changes the payload, and whether a number wins over a NaN, differs among those in use.
bool may_make(HalfReduction reduction, std::uint16_t a, std::uint16_t b, std::uint16_t result) {
  const auto [type, op] = reduction;
  const float first = decode(a, type);
  const float second = decode(b, type);
  const bool result_is_nan = std::isnan(decode(result, type));
  if (op == ReduceOp::sum) {
    const float sum = first + second;
    return std::isnan(sum) ? result_is_nan : result == encode(sum, type);
  }
  if (std::isnan(first) || std::isnan(second)) {
    return result_is_nan || (result == a && !std::isnan(first)) || (result == b && !std::isnan(second));
  }
  return result == ((first > second) == (op == ReduceOp::max) ? a : b);
}

/// `value` as hardware sees it that flushes subnormal numbers of `type`.
float flushed(float value, ElementType type) {
  const float smallest_normal = type == ElementType::float16 ? 0x1p-14F : 0x1p-126F;
  return std::fabs(value) < smallest_normal ? 0 : value;
}

/// Whether `result` is `sum`, however it was rounded: it or a neighbour, or a zero of either sign.
bool may_round_to(float sum, std::uint16_t result, ElementType type) {
  const int bits = encode(sum, type);
  return std::abs(bits - int{result}) <= 1 || ((bits | result) & 0x7fff) == 0;
}

/// The same as `may_make` on numbers that were not chosen: of any size, and with sums that no half holds.
bool may_make_of_any(HalfReduction reduction, std::uint16_t a, std::uint16_t b, std::uint16_t result) {
  const auto [type, op] = reduction;
  const float first = decode(a, type);
  const float second = decode(b, type);
  if (op != ReduceOp::sum) {
    const bool equal = first == second;  // zeros of two signs, for one
    return may_make(reduction, a, b, result) || (equal && (result == a || result == b));
  }
  if (std::isnan(first + second)) return true;  // what becomes of NaN is asked later
  const float flushed_sum = flushed(flushed(first, type) + flushed(second, type), type);
  return may_round_to(first + second, result, type) || may_round_to(flushed_sum, result, type);
}

/// What operations on two bytes do that know nothing of halves.
using Simpler = std::uint16_t (*)(std::uint16_t a, std::uint16_t b);
constexpr Simpler simpler_operations[] = {
    [](std::uint16_t a, std::uint16_t) { return a; },
    [](std::uint16_t, std::uint16_t b) { return b; },
    [](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(a + b); },
    [](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(unsigned{a} * b); },
    [](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(a & b); },
    [](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(a | b); },
    [](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(a ^ b); },
    [](std::uint16_t a, std::uint16_t b) { return std::max(a, b); },
    [](std::uint16_t a, std::uint16_t b) { return std::min(a, b); },
    [](std::uint16_t a, std::uint16_t b) {
      return static_cast<std::int16_t>(a) > static_cast<std::int16_t>(b) ? a : b;
    },
    [](std::uint16_t a, std::uint16_t b) {
      return static_cast<std::int16_t>(a) < static_cast<std::int16_t>(b) ? a : b;
    },
};

/// Elements that speak against each simpler operation before it is ruled out.
constexpr std::ptrdiff_t least_elements = 4;

/// Whether `holds(a, b, result)` for every element.
template <class Condition>
bool holds_everywhere(const Operands& operands, const std::vector<std::uint16_t>& result, const Condition& holds) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!holds(operands.in[i], operands.inout[i], result[i])) return false;
  }
  return true;
}

bool is_ruled_out(Simpler simpler, const Operands& operands, const std::vector<std::uint16_t>& result) {
  std::ptrdiff_t against = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (simpler(operands.in[i], operands.inout[i]) != result[i]) ++against;
  }
  return against >= least_elements;
}

}  // namespace

Evidence judge(const Operands& operands, const std::vector<std::uint16_t>& result) {
  const codec::FloatingPointScope scope;
  const bool may_be_half = std::any_of(every_reduction.begin(), every_reduction.end(), [&](HalfReduction candidate) {
    return holds_everywhere(operands, result,
                            [candidate](auto a, auto b, auto made) { return may_make_of_any(candidate, a, b, made); });
  });
  if (!may_be_half) return Evidence::other;
  const bool nothing_simpler = std::all_of(std::begin(simpler_operations), std::end(simpler_operations),
                                           [&](Simpler simpler) { return is_ruled_out(simpler, operands, result); });
  return nothing_simpler ? Evidence::half : Evidence::too_little;
}

ProbeVectors probe_vectors() {
  ProbeVectors vectors{};
  for (std::size_t i = 0; i < pairs.size(); ++i) std::tie(vectors.in[i], vectors.inout[i]) = pairs[i];
  return vectors;
}

std::optional<HalfReduction> recognise(const std::array<std::uint16_t, ProbeVectors::length>& result) {
  // beyond the pairs both vectors are zero, and so is every sum, maximum and minimum
  if (std::any_of(result.begin() + pairs.size(), result.end(), [](std::uint16_t bits) { return bits != 0; })) {
    return std::nullopt;
  }
  const codec::FloatingPointScope scope;
  for (const HalfReduction candidate : every_reduction) {
    std::size_t agreeing = 0;
    while (agreeing < pairs.size() &&
           may_make(candidate, pairs[agreeing].first, pairs[agreeing].second, result[agreeing])) {
      ++agreeing;
    }
    if (agreeing == pairs.size()) return candidate;
  }
  return std::nullopt;
}

}  // namespace airamp::pmpi
