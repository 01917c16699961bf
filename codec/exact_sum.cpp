// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "codec/exact_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "codec/floating_point_scope.hpp"
#include "codec/superaccumulator.hpp"

namespace airamp::codec {
namespace {

constexpr std::size_t block_elements = 256;
using Block = std::array<double, block_elements>;

/// What a + b leaves behind that is rounded to `sum` (Knuth, The Art of Computer Programming 2, 4.2.2); a NaN where
/// something overflows or is not finite.
double error_of(double a, double b, double sum) {
  const double part = sum - a;
  return (a - (sum - part)) + (b - part);
}

/// Some elements' sums as two numbers each. Where `rest` is zero they are exact, which is so wherever the addends span
/// less than some 50 bits more than they have; else `rest` is positive or a NaN.
struct Sums {
  Block high;
  Block low;
  Block rest;

  template <class Real>
  void begin(const Real* addends, std::size_t elements) {
    std::copy_n(addends, elements, high.begin());
    std::fill_n(low.begin(), elements, 0.0);
    std::fill_n(rest.begin(), elements, 0.0);
  }

  template <class Real>
  void add(const Real* addends, std::size_t elements) {
    for (std::size_t i = 0; i < elements; ++i) {
      const double addend = addends[i];
      const double sum = high[i] + addend;
      const double error = error_of(high[i], addend, sum);
      const double errors = low[i] + error;
      rest[i] += std::fabs(error_of(low[i], error, errors));
      high[i] = sum;
      low[i] = errors;
    }
  }
};

double rounded(double high, double low, double /*as*/) { return low == 0 ? high : high + low; }  // keeps -0

/// By way of binary64, rounded to odd, so that it is rounded once (Boldo, Melquiond, "Emulation of FMA and Correctly
/// Rounded Sums", IEEE Trans. Comput. 57(4), 2008).
float rounded(double high, double low, float /*as*/) {
  double sum = rounded(high, low, 0.0);
  const double error = error_of(high, low, sum);
  if (const auto bits = std::bit_cast<std::uint64_t>(sum); error != 0 && (bits & 1U) == 0) {
    sum = std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
  }
  return static_cast<float>(sum);
}

/// Of any addends.
template <class Real>
Real sum_of_any(const std::byte* const* vectors, std::size_t count, std::size_t element) {
  Superaccumulator accumulator;
  bool all_negative_zero = true;
  bool plus_infinity = false;
  bool minus_infinity = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Real addend = reinterpret_cast<const Real*>(vectors[i])[element];
    if (std::isnan(addend)) return std::numeric_limits<Real>::quiet_NaN();
    if (std::isinf(addend)) {
      (addend > 0 ? plus_infinity : minus_infinity) = true;
    } else {
      accumulator.add(addend);
    }
    all_negative_zero = all_negative_zero && addend == 0 && std::signbit(addend);
  }
  if (plus_infinity && minus_infinity) return std::numeric_limits<Real>::quiet_NaN();
  if (plus_infinity) return std::numeric_limits<Real>::infinity();
  if (minus_infinity) return -std::numeric_limits<Real>::infinity();
  return all_negative_zero ? Real{-0.0} : accumulator.rounded<Real>();
}

/// Not inlined, so that no arithmetic moves out of the floating-point scope.
template <class Real>
[[gnu::noinline]] void sum(const std::byte* const* vectors, std::size_t count, std::size_t elements,
                           std::byte* result) {
  Sums sums;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  std::array<Real, block_elements> results;
  for (std::size_t first = 0; first < elements; first += block_elements) {
    const std::size_t block = std::min(block_elements, elements - first);
    const auto addends_of = [&](std::size_t vector) { return reinterpret_cast<const Real*>(vectors[vector]) + first; };
    sums.begin(addends_of(0), block);
    for (std::size_t vector = 1; vector < count; ++vector) sums.add(addends_of(vector), block);
    for (std::size_t i = 0; i < block; ++i) {
      const bool exact = sums.rest[i] == 0 && std::isfinite(sums.high[i]);
      results[i] = exact ? rounded(sums.high[i], sums.low[i], Real{}) : sum_of_any<Real>(vectors, count, first + i);
    }
    std::memcpy(result + first * sizeof(Real), results.data(), block * sizeof(Real));
  }
}

}  // namespace

void sum_exactly(DataType type, const std::byte* const* vectors, std::size_t count, std::size_t elements,
                 std::byte* result) {
  const FloatingPointScope scope;
  const std::size_t parts = parts_of(type) * elements;
  if (part_of(type) == DataType::float32) sum<float>(vectors, count, parts, result);
  if (part_of(type) == DataType::float64) sum<double>(vectors, count, parts, result);
}

}  // namespace airamp::codec
