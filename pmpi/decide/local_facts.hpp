// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/decide/call.hpp"

namespace airamp::pmpi {

/// Finds out what this rank alone can see of a call's data, and where it lies. Device memory of another GPU than the
/// one that the communicator's algorithms work with on this rank counts as mixed, and so does that of a GPU on which
/// something has failed that the other ranks do not know of.
void look_at_buffers(Call& call) noexcept;
void look_at_data(Call& call);

/// Whether all of a call's buffers are host memory.
bool lies_on_host(const CollectiveCall& collective, const CommunicatorState& state) noexcept;

}  // namespace airamp::pmpi
