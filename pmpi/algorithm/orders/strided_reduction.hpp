// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/algorithm/orders/short_reduction.hpp"

namespace airamp::pmpi {

/// As reduce_by_tree, of vectors of any length that lie as those of a ShortReduction do, in orders of at most
/// max_short_places places. It takes 4 KiB of the stack. nullptr if there is no such reduction, and for pairs.
ShortReduction strided_reduction(DataType type, ReduceOp op);

}  // namespace airamp::pmpi
