// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "testing/half.hpp"

namespace airamp::differential {
namespace {

// What is poison for every operation that is checked against the truth: a maximum swallows -inf, a minimum +inf.
double draw_poison(Random& random, Meaning meaning) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::uint64_t dice = random.below(3);
  if (dice == 0) return std::numeric_limits<double>::quiet_NaN();
  if (meaning == Meaning::max) return infinity;
  if (meaning == Meaning::min) return -infinity;
  return dice == 1 ? infinity : -infinity;
}

double smallest_normal(Format format) {
  if (format == Format::float16) return 0x1p-14;
  return format == Format::float64 ? 0x1p-1022 : 0x1p-126;
}

double draw_number(Random& random, const Call& call) {
  const std::uint64_t bits = random.bits();
  const double unit = static_cast<double>(static_cast<std::int64_t>(bits) >> 11) * 0x1p-52;
  switch (call.spread) {
    case Spread::uniform:
      return std::ldexp(unit, call.exponent);
    case Spread::wide:
      return std::ldexp(unit, 4 - static_cast<int>(bits & 15U));
    case Spread::sparse:
      return (bits & 255U) < 26 ? unit : 0.0;
    case Spread::tiny:
      return unit * smallest_normal(call.element->format);
    case Spread::overflow:
      return (0.875 + 0.124 * unit) * largest(call.element->format);
  }
  return unit;
}

template <typename Value, typename Convert>
void write_numbers(const Call& call, Random& random, std::size_t count, std::byte* data, Convert convert) {
  const Meaning meaning = call.operation != nullptr ? call.operation->meaning : Meaning::other;
  for (std::size_t i = 0; i < count; ++i) {
    const bool poisoned = call.poison > 0 && random.chance(call.poison);
    const Value value = convert(poisoned ? draw_poison(random, meaning) : draw_number(random, call));
    std::memcpy(data + i * sizeof value, &value, sizeof value);
  }
}

void write_bits(Random& random, std::size_t bytes, std::byte* data) {
  for (std::size_t i = 0; i < bytes; i += 8) {
    const std::uint64_t bits = random.bits();
    std::memcpy(data + i, &bits, std::min<std::size_t>(8, bytes - i));
  }
}

}  // namespace

void write_contribution(const Call& call, int world_rank, std::size_t count, std::byte* data) {
  Random random(mix(call.data_seed) ^ mix(static_cast<std::uint64_t>(world_rank) + 1));
  switch (call.element->format) {
    case Format::float16:
      return write_numbers<std::uint16_t>(call, random, count, data,
                                          [](double x) { return testing::float16_from_float(static_cast<float>(x)); });
    case Format::bfloat16:
      return write_numbers<std::uint16_t>(call, random, count, data,
                                          [](double x) { return testing::bfloat16_from_float(static_cast<float>(x)); });
    case Format::float32:
      return write_numbers<float>(call, random, count, data, [](double x) { return static_cast<float>(x); });
    case Format::pairs:
      return write_numbers<float>(call, random, 4 * count, data, [](double x) { return static_cast<float>(x); });
    case Format::float64:
      return write_numbers<double>(call, random, count, data, [](double x) { return x; });
    case Format::integer:
    case Format::binary:
      return write_bits(random, count * call.element->bytes, data);
  }
}

}  // namespace airamp::differential
