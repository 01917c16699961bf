// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/decide/call.hpp"
#include "pmpi/mpi/result.hpp"
#include "pmpi/types/op_probe.hpp"

namespace airamp::pmpi {

/// Two ranks of a communicator, whose elements at the same places a reduction may put together.
struct OperandRanks {
  int in;
  int inout;
};

/// Tells all ranks some elements that two of them give to a reduction of two-byte elements, from the same places spread
/// over the vector: such operands as the program's own call brings to its operation, and the same on all ranks.
/// Elements that cannot be read are zero. Collective. Throws std::bad_alloc.
Result<Operands> sample_operands(const Call& call, OperandRanks ranks);

}  // namespace airamp::pmpi
