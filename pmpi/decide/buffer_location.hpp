// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/location.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Where the buffers of one call lie on this rank.
struct BufferLocation {
  Memory memory = Memory::host;
  gpu::Location gpu;  ///< of device memory, or that of the GPU that works on managed memory
};

/// Looks at a call's buffers. Device memory of another GPU than the one that the communicator's algorithms work with on
/// this rank counts as mixed, and so does that of a GPU on which
/// something has failed that the other ranks do not know of.
BufferLocation locate(const Buffers& buffers, const CommunicatorState& state) noexcept;

}  // namespace airamp::pmpi
