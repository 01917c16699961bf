// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/reduce_op.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// accumulator OP value, in this order. Integers wrap; NaN wins over every number; of values that compare equal the
/// accumulator stays. The device code is built without contraction, so a sum or product is rounded on its own.
template <class T>
AIRAMP_DEVICE T combine(ReduceOp op, T accumulator, T value) {
  switch (op) {
    case ReduceOp::sum:
      if constexpr (std::is_integral_v<T>) {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(accumulator) + static_cast<Unsigned>(value));
      } else {
        return accumulator + value;
      }
    case ReduceOp::prod:
      if constexpr (std::is_integral_v<T>) {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(accumulator) * static_cast<Unsigned>(value));
      } else {
        return accumulator * value;
      }
    default:
      break;
  }
  bool replaces = op == ReduceOp::max ? value > accumulator : value < accumulator;
  if constexpr (std::is_floating_point_v<T>) {
    replaces = (replaces || value != value) && accumulator == accumulator;
  }
  return replaces ? value : accumulator;
}

}  // namespace airamp::gpu::device
