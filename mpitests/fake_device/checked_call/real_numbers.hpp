// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mpitests/differential/random.hpp"
#include "mpitests/fake_device/checked_call/call.hpp"

namespace airamp::device_tests {

/// A real number of any size up to 16, for sums whose bits depend on the order.
inline double input(int rank, std::size_t index, int round) {
  differential::Random random((static_cast<std::uint64_t>(round) << 50U) + (static_cast<std::uint64_t>(rank) << 40U) +
                              index);
  return (random.unit() - 0.5) * static_cast<double>(1U << random.below(6));
}

/// The number that the type makes of it.
inline double typed(Format format, double value) {
  std::array<std::byte, 8> memory{};
  gpu_tests::set_value(format, memory.data(), 0, value);
  return gpu_tests::value_at(format, memory.data(), 0);
}

}  // namespace airamp::device_tests
