// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// What the ranks of a communicator have in common in one call.
enum class Consent {
  all,            ///< every rank is eligible with the same element type and operation
  none,           ///< some rank is ineligible, or the ranks differ: native, as it will be next time
  unaligned,      ///< the same, since some rank's buffers are not aligned to their elements
  other_lengths,  ///< the same, since the ranks' data differ in length
  undecided,      ///< no rank is ineligible, but for some the operation is to be tried first
  suspended,      ///< some rank has AIRamp switched off by MPI_Pcontrol, or has no turn on its GPU: native this time
  lost            ///< some rank's GPU was reset by the application: native, and plans on GPUs are to be forgotten
};

/// What the ranks compare beside their views: in, this rank's; out, the same on all ranks.
struct Circumstances {
  bool recurs = false;      ///< the buffers are those that the chosen algorithm is bound to; out: on all ranks
  std::uint64_t known = 0;  ///< a number for what is known from other communicators, 0: nothing; out: 0 if they differ
};

/// Compares the ranks' views of a call. Where device memory meets managed memory, the view's becomes managed. `wanted`:
/// this rank's MPI_Pcontrol state, and its turn on the GPU. Where the ranks are a peer group it is a meeting in shared
/// memory, else a small allreduce inside the application's collective call. Collective; returns an MPI error code.
int agree_on_view(MPI_Comm comm, CommunicatorState& state, View& view, bool wanted, Circumstances& circumstances,
                  Consent& consent);

}  // namespace airamp::pmpi
