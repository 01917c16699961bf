// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/mpi/result.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// What the ranks of a communicator have in common in one call.
enum class Consent {
  all,            ///< every rank is eligible with the same element type and operation
  none,           ///< some rank is ineligible, or the ranks differ: native, as it will be next time
  unaligned,      ///< the same, since some rank's buffers are not aligned to their elements
  other_lengths,  ///< the same, since the ranks' data differ in length
  undecided,      ///< no rank is ineligible, but for some the operation is to be tried first
  closed,         ///< some rank came later than another wanted to wait: native this time
  suspended,      ///< some rank has AIRamp switched off by MPI_Pcontrol, or has no turn on its GPU: native this time
  lost            ///< some rank's GPU was reset by the application: native, and plans on GPUs are to be forgotten
};

/// What one rank says of a call.
struct Statement {
  const LocalFacts& facts;
  bool wanted = true;        ///< its MPI_Pcontrol state, and its turn on the GPU
  bool recurs = false;       ///< the buffers are those that the chosen algorithm is bound to
  bool any_length = false;   ///< not only the same length as the others'
  std::uint64_t known = 0;   ///< a number for what is known from other communicators, 0: nothing
  bool has_arrived = false;  ///< the others have been told of it in the communicator's meeting
  /// Not nullptr on any rank: the others need not wait for this one, in a meeting.
  const HostMeeting::Patience* patience = nullptr;
};

/// A statement as a rank's word in a meeting of its host.
std::uint64_t word_of(const Statement& own);

/// What the ranks' statements have in common; the same on all of them.
struct Agreement {
  Consent consent = Consent::none;
  bool managed = false;     ///< some rank's buffers are managed memory
  bool recurs = false;      ///< on all ranks
  std::uint64_t known = 0;  ///< 0 if they differ
  std::uint64_t bytes = 0;  ///< the length of the ranks' data, of several the greatest
};

/// Compares what the ranks say of a call. Where they are a group that meets in shared memory it is a meeting there,
/// else a small allreduce inside the application's collective call. Collective over `state`'s communicator.
Result<Agreement> agree_on(const Statement& own, CommunicatorState& state);

/// Tells the error handler of `comm` that the ranks' meeting has failed, as an MPI library that survives failures does.
/// Returns the MPI error code.
int raise_failure(const HostMeeting& meeting, MPI_Comm comm);

}  // namespace airamp::pmpi
