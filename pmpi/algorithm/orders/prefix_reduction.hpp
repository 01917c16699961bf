// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"

namespace airamp::pmpi {

/// The ranks' contributions to a prefix, or the same part of each: `elements` elements each, aligned to them; that of
/// rank i lies `i * stride` bytes behind `first`.
struct PrefixOperands {
  std::byte* first;
  std::size_t stride;
  int ranks;
  std::size_t elements;
};

/// Puts in place of each rank's contribution what it gets, added one after the other from rank 0 on, as reduce_by_tree
/// does with a chain: of all below it and its own if `inclusive`, else of those below it alone, where rank 0's stays as
/// it is. Of what reduces_by_tree. Thread-safe; allocates nothing.
void reduce_prefixes(DataType type, ReduceOp op, bool inclusive, const PrefixOperands& operands);

}  // namespace airamp::pmpi
