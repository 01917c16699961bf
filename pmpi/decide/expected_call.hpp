// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pola/signature.hpp"

namespace airamp::pmpi {

/// What PoLA knows a call by: what is equal on all ranks. `arguments`: CollectiveCall::equal_arguments.
inline pola::Signature pattern_signature(Kind kind, std::uint64_t bytes, std::uint64_t arguments) {
  return pola::signature_of(static_cast<std::uint32_t>(kind), equal_bytes(kind, bytes), arguments);
}

/// Whether a call, named by its pattern_signature, is the one that PoLA was sure would come. The same on all ranks.
/// Once per call, which `learn` must follow. PoLA looks at a communicator from its first call on that all ranks agreed
/// could be accelerated.
bool expects(pola::Signature signature, CommunicatorState& state) noexcept;

/// Shows PoLA the call that `expects` was asked about, unless it has seen it: while a GPU works on the call, this costs
/// nothing.
void look_at_pattern(CommunicatorState& state) noexcept;

/// Likewise, and takes note of what has changed by that. Throws std::bad_alloc.
void learn(CommunicatorState& state);

/// A plan that calls of one gate have taken before.
struct ReadyPlan {
  SignatureState* signature = nullptr;  ///< none: there is no such plan
  std::size_t candidate = 0;
  View view;  ///< what the ranks agreed that the calls are
};

/// The plan of calls on host buffers that the ranks have agreed on before, if they have chosen an algorithm for them.
/// The same on all ranks.
ReadyPlan chosen_plan(CommunicatorState& state, const GatedCalls& calls);

/// Whether an expected call can take a plan without an agreement before it. The same on all ranks.
bool can_ask_along(const ReadyPlan& plan);

/// Whether this rank finds of a call what the ranks have agreed of the calls before it.
bool consents(const View& own, const View& agreed);

}  // namespace airamp::pmpi
