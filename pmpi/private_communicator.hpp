// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "pmpi/native.hpp"

namespace airamp::pmpi {

/// A communicator of our own with the ranks of the user's, or a part of them, so that our messages never meet the
/// application's. It returns errors instead of raising them. Freed with its owner, which must not outlive MPI_Finalize.
class PrivateCommunicator {
 public:
  PrivateCommunicator() = default;
  ~PrivateCommunicator() { free(); }
  PrivateCommunicator(const PrivateCommunicator&) = delete;
  PrivateCommunicator& operator=(const PrivateCommunicator&) = delete;

  /// Collective over `users`: with the ranks that say the same `part`, in the order of `rank`. A split and not a
  /// duplicate: a duplicate would run the attribute callbacks of the application and of its libraries.
  int create(MPI_Comm users, int rank, int part = 0) {
    const int error = native().Comm_split(users, part, rank, &comm_);
    if (error != MPI_SUCCESS) return error;
    live.fetch_add(1, std::memory_order_relaxed);
    return native().Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }

  void free() {
    if (!exists()) return;
    native().Comm_free(&comm_);
    live.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Whether this process may have another one. Some libraries have but 2048 communicators, which are the
  /// application's. Differs between ranks: to be agreed.
  static bool affordable() { return live.load(std::memory_order_relaxed) < most; }

  bool exists() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm get() const { return comm_; }

  /// So many tags as one algorithm may use.
  static constexpr int tags_of_algorithm = 3;

  /// The first of `tags_of_algorithm` tags that no other algorithm on this communicator has.
  int reserve_tags() {
    const int tag = next_tag_;
    next_tag_ = (next_tag_ + tags_of_algorithm) % tag_count;
    return tag;
  }

 private:
  static constexpr int most = 256;
  static inline std::atomic<int> live{0};
  static constexpr int tag_count = 32768 / tags_of_algorithm * tags_of_algorithm;  // MPI guarantees 0 to 32767

  MPI_Comm comm_ = MPI_COMM_NULL;
  int next_tag_ = 0;
};

}  // namespace airamp::pmpi
