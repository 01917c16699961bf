// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/consents.hpp"

#include <algorithm>

#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {

Consents::Consents(const MessageRoute& route, int rank, int tag)
    : comm_(route.comm),
      ranks_(route.ranks),
      rank_(rank),
      tag_(tag),
      answers_(ranks_.size()),
      sends_(ranks_.size() - 1),
      receives_(ranks_.size() - 1) {}

int Consents::initialise() {
  const auto own = static_cast<std::size_t>(rank_);
  for (std::size_t i = 0; i < sends_.size(); ++i) {
    const std::size_t peer = i < own ? i : i + 1;
    constexpr int bytes = sizeof(int);
    if (const int error = sends_[i].initialise_send(&answers_[own], bytes, ranks_[peer], tag_, comm_);
        error != MPI_SUCCESS) {
      return error;
    }
    if (const int error = receives_[i].initialise_receive(&answers_[peer], bytes, ranks_[peer], tag_, comm_);
        error != MPI_SUCCESS) {
      return error;
    }
  }
  initialised_ = true;
  return MPI_SUCCESS;
}

int Consents::post_receives() {
  if (!initialised_) {
    if (const int error = initialise(); error != MPI_SUCCESS) return error;
  }
  for (PersistentRequest& receive : receives_) {
    if (receive.active()) continue;
    if (const int error = receive.start(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int Consents::tell(bool consent) {
  if (const int error = post_receives(); error != MPI_SUCCESS) return error;
  answers_[static_cast<std::size_t>(rank_)] = consent ? 1 : 0;
  for (PersistentRequest& send : sends_) {
    if (const int error = send.start(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

Result<bool> Consents::hear() {
  const Stopwatch watch;
  for (PersistentRequest& receive : receives_) {
    if (const int error = receive.wait(); error != MPI_SUCCESS) return MpiError{error};
  }
  waited_seconds_ = watch.seconds();
  for (PersistentRequest& send : sends_) {
    if (const int error = send.wait(); error != MPI_SUCCESS) return MpiError{error};
  }
  return std::find(answers_.begin(), answers_.end(), 0) == answers_.end();
}

}  // namespace airamp::pmpi
