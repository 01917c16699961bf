// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace airamp {

/// Operations that AIRamp computes itself. The codecs reduce by sum, max and min; `prod` is for what travels without
/// loss.
enum class ReduceOp : std::uint8_t { sum, max, min, prod };

/// The name of an operation in reports and in what programs declare; empty for a value that is none.
constexpr std::string_view to_string(ReduceOp op) noexcept {
  switch (op) {
    case ReduceOp::sum:
      return "sum";
    case ReduceOp::max:
      return "max";
    case ReduceOp::min:
      return "min";
    case ReduceOp::prod:
      return "prod";
  }
  return {};
}

}  // namespace airamp
