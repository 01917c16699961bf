// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/result_error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "codec/floating_point_scope.hpp"

namespace airamp::pmpi {
namespace {

struct Sums {
  double squared_error;
  double squared_native;
  double maximum;
};

/// Exact binary32 value of a half, written so that compilers vectorise it: the exponent is moved into place by a
/// multiplication, which is right for subnormals as well.
float widen_float16(std::uint16_t half) {
  constexpr float rebias = 0x1p112F;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffU) << 13U;
  const std::uint32_t poison = magnitude >= 0x0f800000U ? 0x7f800000U : 0U;
  const auto value = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * rebias);
  return std::bit_cast<float>(value | poison | static_cast<std::uint32_t>(half & 0x8000U) << 16U);
}

constexpr std::size_t block_elements = 2048;
using Block = std::array<float, block_elements>;

/// Loads `elements` <= block_elements elements. Not inlined, as `compare`.
[[gnu::noinline]] void load(ElementType type, const std::byte* source, std::size_t elements, Block& block) {
  if (type == ElementType::float32) {
    std::memcpy(block.data(), source, elements * sizeof(float));
    return;
  }
  std::array<std::uint16_t, block_elements> halves;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  std::memcpy(halves.data(), source, elements * sizeof(std::uint16_t));
  if (type == ElementType::float16) {
    for (std::size_t i = 0; i < elements; ++i) block[i] = widen_float16(halves[i]);
  } else {
    for (std::size_t i = 0; i < elements; ++i) {
      block[i] = std::bit_cast<float>(static_cast<std::uint32_t>(halves[i]) << 16U);
    }
  }
}

// Not inlined, so that no arithmetic moves out of a floating-point scope.
[[gnu::noinline]] void compare(const Block& native_block, const Block& block, std::size_t elements, Sums& sums) {
  for (std::size_t i = 0; i < elements; ++i) {
    const double native_value = native_block[i];
    const double value = block[i];
    if (std::isfinite(native_value) && std::isfinite(value)) {
      const double error = std::fabs(value - native_value);
      sums.squared_error += error * error;
      sums.squared_native += native_value * native_value;
      sums.maximum = std::max(sums.maximum, error);
    } else if (std::isfinite(native_value) != std::isfinite(value)) {
      sums.squared_error = sums.maximum = std::numeric_limits<double>::infinity();
    }
  }
}

// Not inlined, as `compare`.
[[gnu::noinline]] double ratio(double squared_error, double squared_native) {
  return squared_error == 0 ? 0 : std::sqrt(squared_error / squared_native);  // x / 0 is infinite
}

}  // namespace

void ResultError::add(ElementType type, const void* native_result, const void* result, std::size_t elements) {
  const auto* native_bytes = static_cast<const std::byte*>(native_result);
  const auto* bytes = static_cast<const std::byte*>(result);
  const codec::FloatingPointScope scope;
  Sums sums{squared_error_, squared_native_, maximum_};
  Block native_block;
  Block block;
  for (std::size_t begin = 0; begin < elements; begin += block_elements) {
    const std::size_t count = std::min(block_elements, elements - begin);
    load(type, native_bytes + begin * size_of(type), count, native_block);
    load(type, bytes + begin * size_of(type), count, block);
    compare(native_block, block, count, sums);
  }
  squared_error_ = sums.squared_error;
  squared_native_ = sums.squared_native;
  maximum_ = sums.maximum;
}

double ResultError::relative() const {
  const codec::FloatingPointScope scope;
  return ratio(squared_error_, squared_native_);
}

}  // namespace airamp::pmpi
