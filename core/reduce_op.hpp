// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace airamp {

/// Operations that AIRamp computes itself, those of MPI; first those that GPUs compute. The codecs reduce by sum, max
/// and min; the others are for what travels without loss.
enum class ReduceOp : std::uint8_t { sum, max, min, prod, land, lor, lxor, band, bor, bxor, maxloc, minloc };

inline constexpr int reduce_op_count = static_cast<int>(ReduceOp::minloc) + 1;

/// Whether GPUs compute an operation.
constexpr bool is_for_gpus(ReduceOp op) { return op <= ReduceOp::prod; }

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
    case ReduceOp::land:
      return "land";
    case ReduceOp::lor:
      return "lor";
    case ReduceOp::lxor:
      return "lxor";
    case ReduceOp::band:
      return "band";
    case ReduceOp::bor:
      return "bor";
    case ReduceOp::bxor:
      return "bxor";
    case ReduceOp::maxloc:
      return "maxloc";
    case ReduceOp::minloc:
      return "minloc";
  }
  return {};
}

}  // namespace airamp
