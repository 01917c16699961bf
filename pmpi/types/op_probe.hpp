// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/element_type.hpp"
#include "core/reduce_op.hpp"

namespace airamp::pmpi {

/// A reduction of a 16-bit float format.
struct HalfReduction {
  ElementType element;
  ReduceOp op;
  bool operator==(const HalfReduction&) const = default;
};

/// Two vectors of 16-bit patterns; what a two-byte operation makes of them tells what it is. The patterns are chosen so
/// that no two of FP16 and BF16 sum, max and min agree with each other, with an integer or bit-wise operation, or with
/// a sum that saturates or skips NaN.
struct ProbeVectors {
  static constexpr int length = 32;
  std::array<std::uint16_t, length> in;
  std::array<std::uint16_t, length> inout;
};

ProbeVectors probe_vectors();

/// What the operation is that turned `inout` of probe_vectors into `result`; empty if it is none of the six. Maxima and
/// minima may treat NaN as they like.
std::optional<HalfReduction> recognise(const std::array<std::uint16_t, ProbeVectors::length>& result);

/// The program's own elements of two bytes that an operation is tried on: as many in both vectors.
struct Operands {
  std::vector<std::uint16_t> in;
  std::vector<std::uint16_t> inout;
};

/// What an operation shows of itself on the program's own numbers.
enum class Evidence {
  too_little,  ///< it may be a reduction of halves, or something else that these numbers do not tell from one
  half,        ///< it makes what a reduction of halves makes, and nothing simpler does
  other        ///< it is no reduction of halves
};

/// What the operation may be that turned `operands.inout` into `result`.
Evidence judge(const Operands& operands, const std::vector<std::uint16_t>& result);

}  // namespace airamp::pmpi
