// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/group/job_channel.hpp"
#include "pmpi/mpi/persistent_request.hpp"

namespace airamp::pmpi {

/// Beyond, a message to each of the others costs more than a reduction.
inline constexpr int max_piggybacking_ranks = 32;

/// Every rank tells every other whether it consents to what is about to happen, and goes on with its own part before it
/// has heard the others: an agreement (docs/architecture.md, law 1) that costs no round trip where the ranks talk to
/// each other anyway. All hear the same answers. All functions return MPI error codes.
class Consents {
 public:
  /// `rank`: the own one, among those of the route. Tag `tag` is this object's. Throws std::bad_alloc.
  Consents(const MessageRoute& route, int rank, int tag);

  /// The whole of an asking call, once its receives are posted. `run(agreed)` runs it for a rank that consents: it
  /// calls `hear` before it touches what the others may still veto, and nothing happens after a veto. `drop()` takes
  /// what the others have sent before they heard of it.
  template <class Run, class Drop>
  int ask(bool consent, bool& agreed, const Run& run, const Drop& drop) {
    agreed = consent;
    if (const int error = tell(consent); error != MPI_SUCCESS) return error;
    const int error = consent ? run(agreed) : hear(agreed);
    return error != MPI_SUCCESS || agreed ? error : drop();
  }

  /// Starts to tell the others.
  int tell(bool consent);

  /// Waits for the others' answers, and says whether all consented, this rank included.
  int hear(bool& all);

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
