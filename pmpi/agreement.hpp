// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/communicator_state.hpp"
#include "pmpi/mpi.hpp"

namespace airamp::pmpi {

/// What the ranks of a communicator have in common in one call.
enum class Consent {
  all,       ///< every rank is eligible with the same element type and operation
  none,      ///< every rank is ineligible, or the ranks differ: native, as it will be next time
  suspended  ///< some rank has AIRamp switched off by MPI_Pcontrol, or has no turn on its GPU: native this time
};

/// The agreements that AIRamp runs on the application's communicator, each inside a collective call of the
/// application's on it. Every function is collective, costs at most one small allreduce, and returns an MPI error code.

/// Compares the ranks' views of a call. `wanted`: this rank's MPI_Pcontrol state, and its turn on the GPU. `recurs`:
/// in, whether this rank's buffers are those that the chosen algorithm is bound to; out, whether that is so on all
/// ranks. Where the ranks are a peer group it is a meeting in shared memory, else a small allreduce.
int agree_on_view(MPI_Comm comm, CommunicatorState& state, const View& view, bool wanted, bool& recurs,
                  Consent& consent);

/// Whether `ok` holds on all ranks.
int agree_on_success(MPI_Comm comm, bool ok, bool& all_ok);

/// Replaces times and errors by the largest of all ranks; NaN counts as infinite.
int agree_on_times(MPI_Comm comm, std::vector<double>& values);

}  // namespace airamp::pmpi
