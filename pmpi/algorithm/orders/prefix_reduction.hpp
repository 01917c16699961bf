// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"

namespace airamp::pmpi {

/// The ranks' contributions to a prefix, or the same part of each, and where their results go: `elements` elements
/// each, aligned to them; those of rank i lie `i * stride` bytes behind the first. Both may be the same, or do not
/// overlap.
struct PrefixOperands {
  const std::byte* contributions;
  std::byte* results;
  std::size_t stride;
  int ranks;
  std::size_t elements;
};

/// Writes what each rank gets, added one after the other from rank 0 on, as reduce_by_tree does with a chain: of all
/// below it and its own if `inclusive`, else of those below it alone, where nothing is written for rank 0. Of what
/// reduces_by_tree. Thread-safe; allocates nothing.
void reduce_prefixes(DataType type, ReduceOp op, bool inclusive, const PrefixOperands& operands);

/// Writes `before OP given` of so many elements: a step of such a chain. All three are aligned to them; `result` may be
/// one of the others. Of what reduces_by_tree. Thread-safe; allocates nothing.
void extend_prefix(DataType type, ReduceOp op, const std::byte* before, const std::byte* given, std::byte* result,
                   std::size_t elements);

}  // namespace airamp::pmpi
