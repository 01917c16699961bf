// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/size_bucket.hpp"
#include "gpu/location.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/gpu_turn.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// One call of the application's that may be accelerated, with what is found out about it on its way, in this order. On
/// the stack of the thread that makes it.
struct Call {
  const CollectiveCall& collective;  ///< its arguments
  CommunicatorState& state;          ///< of its communicator
  std::uint64_t bytes;               ///< the collective's
  Reason no_compression;             ///< as Wish::no_compression

  GatedCalls* gated = nullptr;           ///< the calls that share its agreements, itself included
  LocalFacts facts{};                    ///< what this rank sees of its data; from the agreement on, what all ranks see
  gpu::Location gpu{};                   ///< where this rank's device buffers lie
  bool on_own_device = false;            ///< this rank's are all device memory, whatever the others' are
  std::optional<CollectiveData> staged;  ///< what was laid out for the others before the agreement
  bool has_arrived = false;              ///< the others know already what this rank says in the agreement
  GpuTurn turn{&state};                  ///< held until the call ends, or goes on without a GPU
};

inline GateKey gate_key_of(const Call& call) {
  const Kind kind = call.collective.kind();
  return {kind, size_bucket(equal_bytes(kind, call.bytes)), call.collective.equal_arguments()};
}

/// The calls that share its agreements. Throws std::bad_alloc.
inline GatedCalls& gated_calls_of(const Call& call) {
  const GateKey key = gate_key_of(call);
  auto*& latest = call.state.latest_gate;
  if (latest == nullptr || latest->first != key) latest = &*call.state.gates.try_emplace(key).first;
  return latest->second;
}

/// By what this rank sees of its data, `bytes` included.
inline SignatureKey signature_key_of(Kind kind, const LocalFacts& facts) {
  return {kind, size_bucket(facts.bytes), facts.type, facts.op, facts.memory, facts.lossy, facts.lossless};
}
inline SignatureKey signature_key_of(const Call& call) { return signature_key_of(call.collective.kind(), call.facts); }

}  // namespace airamp::pmpi
