// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "pmpi/native.hpp"

namespace airamp::pmpi {

/// A persistent point-to-point request, freed with its owner; a receive that still waits then is cancelled. Movable,
/// not copyable. Must not outlive MPI_Finalize.
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

  int start() {
    const int error = native().Start(&request_);
    active_ = error == MPI_SUCCESS;
    return error;
  }

  /// Waits if the request is active.
  int wait() {
    if (!active_) return MPI_SUCCESS;
    active_ = false;
    return native().Wait(&request_, MPI_STATUS_IGNORE);
  }

  /// Of a receive: no message will come for it any more. Its buffer is free then.
  int cancel() {
    if (!active_) return MPI_SUCCESS;
    if (const int error = native().Cancel(&request_); error != MPI_SUCCESS) return error;
    return wait();
  }

  bool active() const { return active_; }

 private:
  void free() {
    if (!initialised()) return;
    if (receives_) cancel();
    native().Request_free(&request_);
    active_ = false;
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
