// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Opens this rank's segment, as the job's settings want. Trouble is one line in the log, and nothing published.
/// Whether something is. May throw std::bad_alloc.
bool start_publishing();

/// Enters a communicator. Once per state.
void publish_communicator(MPI_Comm comm, CommunicatorState& state) noexcept;

/// Says what the tuner knows of a signature by now.
void publish_decision(const CommunicatorState& state, const SignatureKey& key, const SignatureState& signature);

/// Says what PoLA knows by now.
void publish_pattern(const CommunicatorState& state) noexcept;

/// The MPI library's own among the paths that are published.
constexpr std::uint16_t native_path = 0;

/// The number of another one.
constexpr std::uint16_t published_path(AlgorithmId path) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(path) + 1);
}

}  // namespace airamp::pmpi
