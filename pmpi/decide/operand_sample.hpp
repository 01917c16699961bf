// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/location.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/types/op_probe.hpp"

namespace airamp::pmpi {

/// Two ranks of a communicator, whose elements at the same places a reduction may put together.
struct OperandRanks {
  int in;
  int inout;
};

/// Tells all ranks some elements that two of them give to a reduction of two-byte elements, from the same places spread
/// over the vector: such operands as the program's own call brings to its operation, and the same on all ranks.
/// `gpu`: where this rank's input lies, if it lies in device memory. Elements that cannot be read are zero. Collective;
/// returns an MPI error code. Throws std::bad_alloc.
int sample_operands(const CollectiveCall& call, int rank, OperandRanks ranks, const View& view,
                    const gpu::Location& gpu, Operands& operands);

}  // namespace airamp::pmpi
