// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/decide/call.hpp"
#include "pmpi/state/shortcuts.hpp"

namespace airamp::pmpi {

/// The shortcut of a call; nullptr if it must be looked at.
const Shortcut* shortcut_of(const Call& call) noexcept;

/// A call whose like went through shared memory with its agreement, if nothing has changed since on this rank: lays out
/// its data, and comes to the agreement with the same word as then. Whether all ranks did; if not, the call goes on as
/// one that this rank has come to the agreement for.
bool exchange_again(Call& call, const Shortcut& known);

/// Remembers a call that was looked at. `signature` and `candidate`: by what its agreement was its exchange; nullptr:
/// it was not.
void remember_shortcut(const Call& call, SignatureState* signature, std::size_t candidate);

}  // namespace airamp::pmpi
