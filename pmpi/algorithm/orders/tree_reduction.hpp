// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"

namespace airamp::pmpi {

/// Whether reduce_by_tree knows a reduction. What depends_on_values it reduces right if its values are_alike.
bool reduces_by_tree(DataType type, ReduceOp op);

/// Bytes that reduce_by_tree needs for results that wait for others.
std::size_t scratch_bytes(const SummationTree& tree);

/// Reduces the ranks' contributions in the order of a tree, each addition rounded by itself, in the floating-point
/// environment of the caller, as an MPI library would. Integers wrap. `contributions`: of each rank, `elements`
/// elements, aligned to them. `scratch`: aligned as by operator new. `result`: of any alignment; may be one of the
/// contributions; gaps in it stay as they are. Thread-safe; allocates nothing.
void reduce_by_tree(const SummationTree& tree, DataType type, ReduceOp op, const std::byte* const* contributions,
                    std::size_t elements, std::byte* scratch, std::byte* result);

/// Copies numbers, and no gap between them. Of any alignment.
void copy_numbers(DataType type, std::byte* to, const std::byte* from, std::size_t elements);

}  // namespace airamp::pmpi
