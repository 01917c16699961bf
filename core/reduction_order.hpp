// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace airamp {

/// What the result of a floating-point sum or product over the ranks, in host memory, follows from
/// (docs/reproducibility.md).
enum class ReductionOrder : std::uint8_t {
  native,  ///< the MPI library's own order
  fixed,   ///< an order that the number of ranks alone decides
  exact,   ///< no order: sums are rounded once, to nearest; products as with `fixed`
  any      ///< whatever order is fastest
};

/// The name of an order in settings and reports; empty for a value that is none.
constexpr std::string_view to_string(ReductionOrder order) noexcept {
  switch (order) {
    case ReductionOrder::native:
      return "native";
    case ReductionOrder::fixed:
      return "fixed";
    case ReductionOrder::exact:
      return "exact";
    case ReductionOrder::any:
      return "any";
  }
  return {};
}

/// Whether it promises the same bits wherever a program runs, so that no time may decide how a result comes about.
constexpr bool promises_bits(ReductionOrder order) noexcept {
  return order == ReductionOrder::fixed || order == ReductionOrder::exact;
}

}  // namespace airamp
