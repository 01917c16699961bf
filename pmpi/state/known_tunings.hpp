// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pmpi/state/communicator_state.hpp"
#include "tuner/signature_tuner.hpp"

namespace airamp::pmpi {

/// What this rank knows of a signature from earlier communicators of the same ranks in the same order, or from another
/// that is still there; nothing if it has met it on none, or if a path is imposed. Local: what another rank knows may
/// differ. Thread-safe.
std::optional<tuner::SignatureTuner> known_tuning(CommunicatorState& state, const SignatureKey& key) noexcept;

/// Lets later communicators of the same ranks start from what has been measured on this one. Thread-safe.
void remember_tuning(const CommunicatorState& state, const SignatureKey& key, const SignatureState& signature) noexcept;

}  // namespace airamp::pmpi
