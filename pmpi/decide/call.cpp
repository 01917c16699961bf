// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/call.hpp"

#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"

namespace airamp::pmpi {

GatedCalls& gated_calls_of(const Call& call) {
  const GateKey key = gate_key_of(call.collective, call.bytes);
  if (GatedCalls* const found = find_gated_calls(call.state, key)) return *found;
  const tuner::WaitingAccount waiting(least_step_seconds(call.collective.kind(), call.state.size));
  return call.state.gates.try_emplace(key, GatedCalls{.waiting = waiting}).first->second;
}

}  // namespace airamp::pmpi
