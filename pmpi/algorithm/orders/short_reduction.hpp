// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/group/host/host_meeting.hpp"

namespace airamp::pmpi {

/// The most bytes of one rank's contribution to a short reduction, and the most places of its tree.
inline constexpr std::size_t max_short_bytes = HostMeeting::max_data_bytes;
inline constexpr int max_short_places = 16;

/// As reduce_by_tree with the type and the operation that it was looked up for, of vectors of so few bytes. In no more
/// code than it needs: what a few numbers cost after an application's own work is the cache lines of the code that adds
/// them. `first`: rank 0's contribution, aligned to the elements; each other lies `stride` bytes behind the one before
/// it. Thread-safe.
using ShortReduction = void (*)(const SummationTree& tree, const std::byte* first, std::size_t stride,
                                std::size_t elements, std::byte* result);

/// nullptr if there is no such reduction.
ShortReduction short_reduction(DataType type, ReduceOp op);

}  // namespace airamp::pmpi
