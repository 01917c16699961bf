// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// A persistent request, freed with its owner; a receive that still waits then is cancelled. Movable, not copyable.
/// Must not outlive MPI_Finalize.
class PersistentRequest {
 public:
  PersistentRequest() = default;
  ~PersistentRequest() { free(); }
  PersistentRequest(PersistentRequest&& other) noexcept { swap(other); }
  PersistentRequest& operator=(PersistentRequest&& other) noexcept {
    swap(other);
    return *this;
  }

  /// MPI_Send_init or MPI_Recv_init of `bytes` bytes at `buffer`; replaces an earlier request, which must be inactive.
  int initialise_send(const void* buffer, int bytes, int peer, int tag, MPI_Comm comm) {
    free();
    receives_ = false;
    return native().Send_init(buffer, bytes, MPI_BYTE, peer, tag, comm, &request_);
  }
  int initialise_receive(void* buffer, int bytes, int peer, int tag, MPI_Comm comm) {
    free();
    receives_ = true;
    return native().Recv_init(buffer, bytes, MPI_BYTE, peer, tag, comm, &request_);
  }

  /// Whether the MPI library has persistent allreduces.
  static bool offers_allreduce() { return allreduce_init() != nullptr; }

  /// MPI_Allreduce_init; replaces an earlier request, which must be inactive. Collective; starts in the same order on
  /// all ranks. The input may be the output. Only if `offers_allreduce()`.
  int initialise_allreduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    free();
    receives_ = false;
    const void* const sendbuf = input == output ? MPI_IN_PLACE : input;
    const int error = allreduce_init()(sendbuf, output, count, type, op, comm, MPI_INFO_NULL, &request_);
    if (error != MPI_SUCCESS) request_ = MPI_REQUEST_NULL;
    return error;
  }

  /// Whether the MPI library has persistent barriers, and MPI_Barrier_init likewise.
  static bool offers_barrier() { return barrier_init() != nullptr; }
  int initialise_barrier(MPI_Comm comm) {
    free();
    receives_ = false;
    const int error = barrier_init()(comm, MPI_INFO_NULL, &request_);
    if (error != MPI_SUCCESS) request_ = MPI_REQUEST_NULL;
    return error;
  }

  int start() {
    const int error = native().MPI_Start(&request_);
    active_ = error == MPI_SUCCESS;
    return error;
  }

  /// Waits if the request is active.
  int wait() {
    if (!active_) return MPI_SUCCESS;
    active_ = false;
    return native().MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

  /// Of a receive: no message will come for it any more. Its buffer is free then.
  int cancel() {
    if (!active_) return MPI_SUCCESS;
    if (const int error = native().MPI_Cancel(&request_); error != MPI_SUCCESS) return error;
    return wait();
  }

  bool active() const { return active_; }

  /// As the MPI library knows it; MPI_REQUEST_NULL if there is none.
  MPI_Request handle() const { return request_; }

  void free() {
    if (!initialised()) return;
    if (receives_) cancel();
    native().MPI_Request_free(&request_);
    active_ = false;
  }

 private:
  /// The standard's function, or Open MPI 4's; nullptr if there is neither.
  static auto allreduce_init() -> decltype(Native::MPI_Allreduce_init) {
    return native().MPI_Allreduce_init != nullptr ? native().MPI_Allreduce_init : native().MPIX_Allreduce_init;
  }
  static auto barrier_init() -> decltype(Native::MPI_Barrier_init) {
    return native().MPI_Barrier_init != nullptr ? native().MPI_Barrier_init : native().MPIX_Barrier_init;
  }
  bool initialised() const { return request_ != MPI_REQUEST_NULL; }
  void swap(PersistentRequest& other) noexcept {
    std::swap(request_, other.request_);
    std::swap(active_, other.active_);
    std::swap(receives_, other.receives_);
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
  bool active_ = false;
  bool receives_ = false;
};

}  // namespace airamp::pmpi
