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
  /// None yet, for a call on `communicator`.
  explicit GpuTurn(const void* communicator) noexcept : communicator_(communicator) {}
  ~GpuTurn() { end(); }
  GpuTurn(const GpuTurn&) = delete;
  GpuTurn& operator=(const GpuTurn&) = delete;

  /// Whether the turn is this call's now, as it was free. A turn that the communicator has already is one of a call
  /// whose error handler jumped away, for its calls come one at a time.
  bool take() noexcept {
    const void* before = nullptr;
    taken_ =
        holder.compare_exchange_strong(before, communicator_, std::memory_order_acquire) || before == communicator_;
    return taken_;
  }

  /// The call goes on without a GPU.
  void end() noexcept {
    if (taken_) release(communicator_);
    taken_ = false;
  }

  /// The communicator goes.
  static void release(const void* communicator) noexcept {
    holder.compare_exchange_strong(communicator, nullptr, std::memory_order_release, std::memory_order_relaxed);
  }

 private:
  inline static std::atomic<const void*> holder = nullptr;

  const void* communicator_;
  bool taken_ = false;
};

}  // namespace airamp::pmpi
