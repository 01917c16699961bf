// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gpu/location.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Acquires what the candidates of a signature need; of each candidate all ranks hold it, or none. Collective. `gpu`:
/// where this rank's device buffers lie. If nothing could be acquired, `signature.why_not_acquired` says why. Returns
/// an MPI error code.
int acquire(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
            const gpu::Location& gpu);

/// Takes a candidate that has given up out of the race, for good. Local; on all ranks after the same call.
void give_up(SignatureState& signature, std::size_t candidate, std::string_view cause);

}  // namespace airamp::pmpi
