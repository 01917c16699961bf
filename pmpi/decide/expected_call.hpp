// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/decide/call.hpp"

namespace airamp::pmpi {

/// Whether a call is the one that PoLA was sure would come. The same on all ranks. Once per call, which `learn` must
/// follow. PoLA looks at a communicator once something was acquired there that does better where the next call is
/// known.
bool expects(const Call& call) noexcept;

/// Whether PoLA knows that such calls come again. The same on all ranks.
bool recurs(const Call& call) noexcept;

/// Shows PoLA the call that `expects` was asked about, unless it has seen it: while a GPU works on the call, this costs
/// nothing.
void look_at_pattern(CommunicatorState& state) noexcept;

/// Likewise, and takes note of what has changed by that. Throws std::bad_alloc.
void learn(CommunicatorState& state);

}  // namespace airamp::pmpi
