// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/group/job_channel.hpp"
#include "pmpi/mpi/persistent_request.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Beyond, a message to each of the others costs more than a reduction.
inline constexpr int max_piggybacking_ranks = 32;

/// Every rank tells every other whether it consents to what is about to happen, and goes on with its own part before it
/// has heard the others: an agreement (docs/architecture.md, law 1) that costs no round trip where the ranks talk to
/// each other anyway. All hear the same answers. What returns a number returns an MPI error code.
class Consents {
 public:
  /// `rank`: the own one, among those of the route. Tag `tag` is this object's. Throws std::bad_alloc.
  Consents(const MessageRoute& route, int rank, int tag);

  /// The whole of an asking call, once its receives are posted; whether all consented. `run()`, a Result<bool>, runs it
  /// for a rank that consents: it calls `hear` before it touches what the others may still veto, and gives what that
  /// gave; nothing happens after a veto. `drop()` takes what the others have sent before they heard of it.
  template <class Run, class Drop>
  Result<bool> ask(bool consent, const Run& run, const Drop& drop) {
    if (const int error = tell(consent); error != MPI_SUCCESS) return MpiError{error};
    const Result<bool> agreed = consent ? run() : hear();
    if (!agreed.ok() || *agreed) return agreed;
    if (const int error = drop(); error != MPI_SUCCESS) return MpiError{error};
    return false;
  }

  /// Starts to tell the others.
  int tell(bool consent);

  /// Waits for the others' answers, and says whether all consented, this rank included.
  Result<bool> hear();

  /// What a rank said, once `hear` has returned.
  bool of(int rank) const { return answers_[static_cast<std::size_t>(rank)] != 0; }

  /// Seconds that the last `hear` waited.
  double waited_seconds() const { return waited_seconds_; }

  /// Posts the receives of the next answers.
  int post_receives();

 private:
  MPI_Comm comm_;
  std::vector<int> ranks_;  ///< those that the ranks have in `comm_`
  int rank_;
  int tag_;
  std::vector<int> answers_;  ///< by rank
  std::vector<PersistentRequest> sends_;
  std::vector<PersistentRequest> receives_;  ///< both in the order of the ranks, without this one
  bool initialised_ = false;
  double waited_seconds_ = 0;

  int initialise();
};

}  // namespace airamp::pmpi
