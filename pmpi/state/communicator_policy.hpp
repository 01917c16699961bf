// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Takes the keys airamp_compress, airamp_pola (true, false), airamp_max_relative_error (0 to 1) and airamp_force (what
/// AIRAMP_FORCE may name but "native"; for signatures that come later) from the info that the application sets on
/// `comm`. They count if all ranks gave the same. Collective over `comm`, as MPI_Comm_set_info is. Returns an MPI error
/// code.
int take_policy(MPI_Comm comm, MPI_Info info);

/// What the tuner's decisions on calls of a communicator obey.
tuner::TuningRules rules_for(const CommunicatorState& state, const SignatureKey& key) noexcept;

/// The path that the user imposes on a communicator, by its info or AIRAMP_FORCE.
std::optional<AlgorithmId> imposed_algorithm(const CommunicatorState& state) noexcept;

}  // namespace airamp::pmpi
