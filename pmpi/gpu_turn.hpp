// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace airamp::pmpi {

/// The right to run collectives on this process's GPUs, for one call at a time. Their kernels wait for other ranks:
/// were two of them (on two communicators, of two threads) to wait for room on a GPU, for a driver's lock or for each
/// other in stream order, and another rank to have them the other way round, none would ever end. So a call without a
/// turn says so in its agreement and is native on all ranks; nobody waits for a turn. Thread-safe.
class GpuTurn {
 public:
  /// Takes the turn if it is `wanted` and free.
  explicit GpuTurn(bool wanted) noexcept : taken_(wanted && !busy.exchange(true, std::memory_order_acquire)) {}
  ~GpuTurn() { end(); }
  GpuTurn(const GpuTurn&) = delete;
  GpuTurn& operator=(const GpuTurn&) = delete;

  bool taken() const { return taken_; }

  /// The call goes on without a GPU.
  void end() noexcept {
    if (taken_) busy.store(false, std::memory_order_release);
    taken_ = false;
  }

 private:
  inline static std::atomic<bool> busy = false;

  bool taken_;
};

}  // namespace airamp::pmpi
