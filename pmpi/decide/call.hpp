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
  LocalFacts facts{};                    ///< what this rank sees of its data; from the agreement on, what all ranks
                                         ///< see, of exchanges with blocks of any length the longest stream
  gpu::Location gpu{};                   ///< where this rank's device buffers lie
  bool on_own_device = false;            ///< this rank's are all device memory, whatever the others' are
  std::optional<CollectiveData> packed;  ///< its data, of which some had to be packed before the agreement
  std::optional<CollectiveData> staged;  ///< what was laid out for the others before the agreement
  bool has_arrived = false;              ///< the others know already what this rank says in the agreement
  GpuTurn turn{&state};                  ///< held until the call ends, or goes on without a GPU
};

inline GateKey gate_key_of(const CollectiveCall& call, std::uint64_t bytes) {
  const Kind kind = call.kind();
  return {kind, size_bucket(equal_bytes(kind, bytes)), call.equal_arguments()};
}

/// What algorithms work on. Throws std::bad_alloc, but not of data that were packed.
inline CollectiveData data_of(const Call& call) {
  return call.packed ? *call.packed : call.collective.data(call.facts);
}

/// The calls that share a gate; nullptr if none was looked at yet.
inline GatedCalls* find_gated_calls(CommunicatorState& state, const GateKey& key) noexcept {
  auto*& latest = state.latest_gate;
  if (latest != nullptr && latest->first == key) return &latest->second;
  const auto found = state.gates.find(key);
  if (found == state.gates.end()) return nullptr;
  latest = &*found;
  return &latest->second;
}

/// The calls that share its agreements. Throws std::bad_alloc.
GatedCalls& gated_calls_of(const Call& call);

/// Whether decisions go by how much the rank sends that sends most, on which the ranks have to agree first. On GPUs one
/// decision is good for all lengths.
inline bool decides_by_longest(const Call& call) {
  return has_blocks_of_any_length(call.collective.kind()) && call.facts.memory == Memory::host;
}

/// By what this rank sees of its data, `bytes` included.
inline SignatureKey signature_key_of(Kind kind, const LocalFacts& facts) {
  return {kind, size_bucket(facts.bytes), facts.type, facts.op, facts.memory, facts.lossy, facts.lossless};
}
inline SignatureKey signature_key_of(const Call& call) { return signature_key_of(call.collective.kind(), call.facts); }

}  // namespace airamp::pmpi
