// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "pmpi/mpi/persistent_request.hpp"

namespace airamp::pmpi {

/// Messages between a member of a ring and all others. Each sends to those at some distances behind it and receives
/// from those at the same distances before it, the nearest first: what a member waits for comes from one that does the
/// same, or has done it.
///
/// All functions return an MPI error code; after an error messages may still read and write the memory that they were
/// started with. They have ended when this object has. Used by one thread at a time.
class RingMessages {
 public:
  /// `ranks`: the members, by what they are in `comm`. `own`: the index of this process. `at_once`: to so many others
  /// and from so many messages are under way at a time, at most. Throws std::bad_alloc.
  RingMessages(MPI_Comm comm, std::vector<int> ranks, int own, int at_once)
      : comm_(comm),
        ranks_(std::move(ranks)),
        own_(own),
        receives_(static_cast<std::size_t>(std::min(size() - 1, at_once))),
        sends_(receives_.size()) {}

  /// Sends every other member what `outgoing` says for it, and receives what `incoming` says: spans of bytes by the
  /// member's index, no message where they are empty.
  template <class Outgoing, class Incoming>
  int exchange(int tag, const Outgoing& outgoing, const Incoming& incoming) {
    const auto at_once = static_cast<int>(receives_.size());
    for (int first = 1; first < size(); first += at_once) {
      int error = start_from(first, tag, outgoing, incoming);
      if (error == MPI_SUCCESS) error = wait();
      if (error != MPI_SUCCESS) return error;
    }
    return MPI_SUCCESS;
  }

  /// The same up to where the messages are under way, for rings of no more than `at_once` others.
  template <class Outgoing, class Incoming>
  int start(int tag, const Outgoing& outgoing, const Incoming& incoming) {
    return start_from(1, tag, outgoing, incoming);
  }

  /// Ends what was started.
  int wait() {
    for (std::vector<PersistentRequest>* const requests : {&receives_, &sends_}) {
      for (PersistentRequest& request : *requests) {
        if (const int error = request.wait(); error != MPI_SUCCESS) return error;
      }
    }
    return MPI_SUCCESS;
  }

  /// How many bytes this member has sent since the last time that it was asked.
  std::uint64_t take_sent_bytes() { return std::exchange(sent_bytes_, 0); }

 private:
  int size() const { return static_cast<int>(ranks_.size()); }

  /// With the members from the distance `first` on, as many as there are requests for.
  template <class Outgoing, class Incoming>
  int start_from(int first, int tag, const Outgoing& outgoing, const Incoming& incoming) {
    const std::size_t others = std::min(receives_.size(), static_cast<std::size_t>(size() - first));
    for (std::size_t i = 0; i < others; ++i) {
      const int member = (own_ - first - static_cast<int>(i) + size()) % size();
      const std::span<std::byte> to = incoming(member);
      if (to.empty()) continue;
      int error = receives_[i].initialise_receive(to.data(), bytes_of(to), rank_of(member), tag, comm_);
      if (error == MPI_SUCCESS) error = receives_[i].start();
      if (error != MPI_SUCCESS) return error;
    }
    for (std::size_t i = 0; i < others; ++i) {
      const int member = (own_ + first + static_cast<int>(i)) % size();
      const std::span<const std::byte> from = outgoing(member);
      if (from.empty()) continue;
      int error = sends_[i].initialise_send(from.data(), bytes_of(from), rank_of(member), tag, comm_);
      if (error == MPI_SUCCESS) error = sends_[i].start();
      if (error != MPI_SUCCESS) return error;
      sent_bytes_ += from.size();
    }
    return MPI_SUCCESS;
  }

  static int bytes_of(std::span<const std::byte> bytes) { return static_cast<int>(bytes.size()); }
  int rank_of(int member) const { return ranks_[static_cast<std::size_t>(member)]; }

  MPI_Comm comm_;
  std::vector<int> ranks_;
  int own_;
  std::uint64_t sent_bytes_ = 0;
  std::vector<PersistentRequest> receives_;
  std::vector<PersistentRequest> sends_;
};

}  // namespace airamp::pmpi
