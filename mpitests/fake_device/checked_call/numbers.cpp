// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_device/checked_call/numbers.hpp"

#include <algorithm>
#include <cstring>

#include "mpitests/differential/random.hpp"

namespace airamp::device_tests {
namespace {

/// The value that `bits` have in an integer type.
std::int64_t cut(Format format, std::uint64_t bits) {
  switch (format) {
    case Format::int32:
      return static_cast<std::int32_t>(bits);
    case Format::uint32:
      return static_cast<std::uint32_t>(bits);
    case Format::byte:
      return static_cast<std::uint8_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

}  // namespace

std::int64_t number(const Call& call, int rank, std::size_t index) {
  const std::uint64_t seed =
      (static_cast<std::uint64_t>(call.round) << 44U) ^ (static_cast<std::uint64_t>(rank) << 38U);
  const std::uint64_t bits = differential::mix(seed ^ index);
  if (!gpu_tests::is_float(call.element->format)) {
    // MPICH 4.0's extremes of unsigned integers are those of signed ones.
    const Meaning meaning = call.reduces() ? call.operation->meaning : Meaning::sum;
    const bool extreme = meaning == Meaning::max || meaning == Meaning::min;
    if (extreme && call.element->format == Format::uint32) return static_cast<std::int64_t>(bits & 0x7fffffffU);
    if (extreme && call.element->format == Format::uint64) return static_cast<std::int64_t>(bits >> 1U);
    return cut(call.element->format, bits);
  }
  if (call.reduces() && call.operation->meaning == Meaning::prod) {
    const std::int64_t magnitude = bits % 2 == 0 ? 1 : 2;
    return bits % 3 == 0 ? -magnitude : magnitude;
  }
  return static_cast<std::int64_t>(bits % 5) - 2;
}

std::int64_t reduced(const Call& call, int ranks, std::size_t index) {
  std::int64_t result = number(call, 0, index);
  for (int rank = 1; rank < ranks; ++rank) {
    const std::int64_t other = number(call, rank, index);
    const auto a = static_cast<std::uint64_t>(result);
    const auto b = static_cast<std::uint64_t>(other);
    switch (call.operation->meaning) {
      case Meaning::sum:
        result = static_cast<std::int64_t>(a + b);
        break;
      case Meaning::prod:
        result = static_cast<std::int64_t>(a * b);
        break;
      case Meaning::max:
        result = std::max(result, other);
        break;
      case Meaning::min:
        result = std::min(result, other);
        break;
    }
  }
  return result;
}

void store(const Element& element, std::int64_t number, std::byte* data, std::size_t index) {
  if (gpu_tests::is_float(element.format)) {
    gpu_tests::set_value(element.format, data, index, static_cast<double>(number));
  } else {
    std::memcpy(data + index * element.bytes, &number, element.bytes);  // little-endian: its lowest bytes
  }
}

}  // namespace airamp::device_tests
