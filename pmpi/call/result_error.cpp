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
#include "core/element_type.hpp"

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

float widen_bfloat16(std::uint16_t half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16U); }

constexpr std::size_t block_elements = 256;  // few: the stacks of an application's threads may be small
using Block = std::array<double, block_elements>;

/// Loads elements that are kept as `Stored`.
template <class Stored, class Widen>
void load(const std::byte* source, std::size_t elements, const Widen& widen, Block& block) {
  std::array<Stored, block_elements> stored;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  std::memcpy(stored.data(), source, elements * sizeof(Stored));
  for (std::size_t i = 0; i < elements; ++i) block[i] = widen(stored[i]);
}

/// Loads `elements` <= block_elements elements of a floating-point type. Not inlined, as `compare`.
[[gnu::noinline]] void load(DataType type, const std::byte* source, std::size_t elements, Block& block) {
  switch (type) {
    case DataType::float16:
      return load<std::uint16_t>(source, elements, widen_float16, block);
    case DataType::bfloat16:
      return load<std::uint16_t>(source, elements, widen_bfloat16, block);
    case DataType::float32:
      return load<float>(
          source, elements, [](float value) { return value; }, block);
    case DataType::float64:
      std::memcpy(block.data(), source, elements * sizeof(double));
      return;
    default:  // the others are not compared
      return;
  }
}

bool is_floating_point(DataType type) { return type == DataType::float64 || element_type(type).has_value(); }

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

void ResultError::add(DataType type, const void* native_result, const void* result, std::size_t elements) {
  elements *= parts_of(type);
  type = part_of(type);
  if (!is_floating_point(type)) return;
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
