// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "codec/lossless_reduce.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "codec/floating_point_scope.hpp"
#include "codec/wire_format_traits.hpp"

namespace airamp::codec {
namespace {

constexpr std::size_t block_elements = 512;

// The conversions are without branches, so that the compiler makes vector code of them.

float widen_float16(std::uint16_t half) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffU) << 13U;
  const auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);  // exact
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  return std::bit_cast<float>((magnitude >= 0x0f800000U ? magnitude | 0x7f800000U : scaled) | sign);
}

std::uint16_t narrow_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  // the sum's last bit is worth 2^-24, as that of a subnormal half
  const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  const std::uint32_t normal = (magnitude - 0x38000000U + 0xfffU + (magnitude >> 13U & 1U)) >> 13U;
  const std::uint32_t large = magnitude > 0x7f800000U ? quiet_nan_float16 : 0x7c00U;
  const std::uint32_t half = magnitude < 0x38800000U ? small : magnitude >= 0x47800000U ? large : normal;
  return static_cast<std::uint16_t>(half | (bits >> 16U & 0x8000U));
}

std::uint16_t narrow_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U;
  return static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? quiet_nan_bfloat16 : rounded);
}

/// How elements are kept and accumulated.
template <class T>
struct Plain {
  using Stored = T;
  using Accumulator = T;
  static T widen(T value) { return value; }
  static T narrow(T value) { return value; }
};
struct Float16 {
  using Stored = std::uint16_t;
  using Accumulator = float;
  static float widen(Stored bits) { return widen_float16(bits); }
  static Stored narrow(float value) { return narrow_float16(value); }
};
struct Bfloat16 {
  using Stored = std::uint16_t;
  using Accumulator = float;
  static float widen(Stored bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }
  static Stored narrow(float value) { return narrow_bfloat16(value); }
};

template <ReduceOp op, class T>
T combine(T accumulator, T value) {
  if constexpr (op == ReduceOp::sum || op == ReduceOp::prod) {
    if constexpr (std::is_integral_v<T>) {
      const auto a = static_cast<std::make_unsigned_t<T>>(accumulator);
      const auto b = static_cast<std::make_unsigned_t<T>>(value);
      return static_cast<T>(op == ReduceOp::sum ? a + b : a * b);
    } else {
      return op == ReduceOp::sum ? accumulator + value : accumulator * value;
    }
  } else {
    bool replaces = op == ReduceOp::max ? value > accumulator : value < accumulator;
    if constexpr (std::is_floating_point_v<T>) {
      replaces = (replaces || value != value) && accumulator == accumulator;
    }
    return replaces ? value : accumulator;
  }
}

template <class Element, ReduceOp op>
void reduce(const std::byte* const* vectors, std::size_t count, std::size_t elements, std::byte* result) {
  using Stored = typename Element::Stored;
  std::array<Stored, block_elements> stored;
  std::array<typename Element::Accumulator, block_elements> accumulators;
  for (std::size_t first = 0; first < elements; first += block_elements) {
    const std::size_t block = std::min(block_elements, elements - first);
    const std::size_t bytes = block * sizeof(Stored);
    std::memcpy(stored.data(), vectors[0] + first * sizeof(Stored), bytes);
    for (std::size_t i = 0; i < block; ++i) accumulators[i] = Element::widen(stored[i]);
    for (std::size_t vector = 1; vector < count; ++vector) {
      std::memcpy(stored.data(), vectors[vector] + first * sizeof(Stored), bytes);
      for (std::size_t i = 0; i < block; ++i) {
        accumulators[i] = combine<op>(accumulators[i], Element::widen(stored[i]));
      }
    }
    for (std::size_t i = 0; i < block; ++i) stored[i] = Element::narrow(accumulators[i]);
    std::memcpy(result + first * sizeof(Stored), stored.data(), bytes);
  }
}

template <class Element>
void reduce(ReduceOp op, const std::byte* const* vectors, std::size_t count, std::size_t elements, std::byte* result) {
  switch (op) {
    case ReduceOp::sum:
      return reduce<Element, ReduceOp::sum>(vectors, count, elements, result);
    case ReduceOp::prod:
      return reduce<Element, ReduceOp::prod>(vectors, count, elements, result);
    case ReduceOp::max:
      return reduce<Element, ReduceOp::max>(vectors, count, elements, result);
    case ReduceOp::min:
      return reduce<Element, ReduceOp::min>(vectors, count, elements, result);
    default:
      return;  // not for GPUs
  }
}

}  // namespace

void reduce_lossless(DataType type, ReduceOp op, const std::byte* const* vectors, std::size_t count,
                     std::size_t elements, std::byte* result) {
  const FloatingPointScope scope;
  switch (type) {
    case DataType::float16:
      return reduce<Float16>(op, vectors, count, elements, result);
    case DataType::bfloat16:
      return reduce<Bfloat16>(op, vectors, count, elements, result);
    case DataType::float32:
      return reduce<Plain<float>>(op, vectors, count, elements, result);
    case DataType::float64:
      return reduce<Plain<double>>(op, vectors, count, elements, result);
    case DataType::int32:
      return reduce<Plain<std::int32_t>>(op, vectors, count, elements, result);
    case DataType::uint32:
      return reduce<Plain<std::uint32_t>>(op, vectors, count, elements, result);
    case DataType::int64:
      return reduce<Plain<std::int64_t>>(op, vectors, count, elements, result);
    case DataType::uint64:
      return reduce<Plain<std::uint64_t>>(op, vectors, count, elements, result);
    default:
      return;  // no arithmetic, or not for GPUs
  }
}

}  // namespace airamp::codec
