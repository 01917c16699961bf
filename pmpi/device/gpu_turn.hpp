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
  /// Takes the turn for a call on `communicator` if it is `wanted` and free. A turn that the communicator has already
  /// is one of a call whose error handler jumped away, for its calls come one at a time.
  GpuTurn(const void* communicator, bool wanted) noexcept
      : communicator_(communicator), taken_(wanted && take(communicator)) {}
  ~GpuTurn() { end(); }
  GpuTurn(const GpuTurn&) = delete;
  GpuTurn& operator=(const GpuTurn&) = delete;

  bool taken() const { return taken_; }

  /// The call goes on without a GPU.
  void end() noexcept {
    if (taken_) give_back(communicator_);
    taken_ = false;
  }

  /// The communicator goes.
  static void give_back(const void* communicator) noexcept {
    holder.compare_exchange_strong(communicator, nullptr, std::memory_order_release, std::memory_order_relaxed);
  }

 private:
  static bool take(const void* communicator) noexcept {
    const void* before = nullptr;
    return holder.compare_exchange_strong(before, communicator, std::memory_order_acquire) || before == communicator;
  }

  inline static std::atomic<const void*> holder = nullptr;

  const void* communicator_;
  bool taken_;
};

}  // namespace airamp::pmpi
