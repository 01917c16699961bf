// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/values/data.hpp"

#include <cmath>

namespace airamp::benchmark {
namespace {

// The sum of four uniform numbers, scaled to a variance of one.
float about_normal(std::uint64_t bits) {
  const auto sum = (bits & 0xffffU) + ((bits >> 16U) & 0xffffU) + ((bits >> 32U) & 0xffffU) + (bits >> 48U);
  return (static_cast<float>(sum) / 65536.0F - 2.0F) * 1.7320508F;
}

// Between 0 and 1, neither of them.
double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 12U) + 0.5) * 0x1p-52; }

float with_sign(double magnitude, std::uint64_t bits) {
  return static_cast<float>((bits & 1U) != 0 ? -magnitude : magnitude);
}

float gaussian(std::uint64_t bits) {
  constexpr double turn = 6.283185307179586;
  const double radius = std::sqrt(-2.0 * std::log(uniform(bits << 32U)));
  return static_cast<float>(radius * std::cos(turn * uniform(bits)));
}

// Any exponent of so many is as frequent as any other. Sums over 16 ranks do not overflow.
float of_any_exponent(ElementType type, std::uint64_t bits) {
  const int exponents = type == ElementType::float16 ? 24 : 120;
  const int exponent = static_cast<int>((bits >> 1U) % static_cast<std::uint64_t>(exponents)) - exponents / 2;
  return with_sign(std::ldexp(1.0 + uniform(bits << 8U), exponent - 1), bits);
}

}  // namespace

float number_of(Data data, ElementType type, std::uint64_t bits, int rank, std::size_t index) {
  switch (data) {
    case Data::normal:
      return gaussian(bits);
    case Data::laplace:
      return with_sign(-std::log(uniform(bits)), bits);
    case Data::uniform:
      return with_sign(uniform(bits), bits);
    case Data::wave:
      return static_cast<float>(std::sin(0.01 * static_cast<double>(index) + rank));
    case Data::sparse:
      return bits % 1024 < 8 ? gaussian(bits) : 0.0F;
    case Data::zeros:
      return 0.0F;
    case Data::spread:
      return of_any_exponent(type, bits);
    default:
      return about_normal(bits);
  }
}

}  // namespace airamp::benchmark
