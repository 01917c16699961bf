// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>

#include "gpu/backend.hpp"
#include "pmpi/device/gpu_device.hpp"

namespace airamp::pmpi {

/// Launches ghosts on the GPUs of this process, in windows and while no collective is on its way, from a thread of its
/// own that the first window starts. The thread blocks all signals and makes no MPI call; it sleeps without a time-out
/// outside windows, and inside them but for the launches. Thread-safe, but for `stop`.
class GhostKernels {
 public:
  GhostKernels() { sem_init(&opened_, 0, 0); }
  GhostKernels(const GhostKernels&) = delete;
  GhostKernels& operator=(const GhostKernels&) = delete;

  /// A collective begins: from now on no launch begins but one that is on its way already, for which nobody waits.
  void arrive() noexcept {
    calls_.fetch_add(1);
    end_ns_.store(0);
  }
  /// It is over.
  void leave() noexcept { calls_.fetch_sub(1); }

  /// Has ghosts launched on `device` until then (nanoseconds of the monotonic clock) or until a collective begins.
  /// Trouble is one warning, and no ghosts on this device any more. May throw std::bad_alloc.
  void open(GpuDevice& device, std::int64_t end_ns);

  /// Publishes how many were launched since the last time. On a thread that publishes other figures too.
  void publish() noexcept;

  /// Ends the thread, gives the queues back and publishes. No call may be on its way.
  void stop() noexcept;

 private:
  /// A device and the queue of its ghosts.
  struct Target {
    explicit Target(GpuDevice& its_device) : device(its_device) {}
    GpuDevice& device;
    gpu::Queue* queue = nullptr;
    gpu::Error error{};                ///< what failed; written before `failed`
    std::atomic<bool> failed = false;  ///< no launches any more
    bool warned = false;
  };

  Target& target_of(GpuDevice& device);
  bool start_thread();
  static void* run(void* ghosts) noexcept;
  void serve_window() noexcept;
  void launch(Target& target) noexcept;
  bool may_launch(std::int64_t now_ns) const noexcept { return calls_.load() == 0 && now_ns < end_ns_.load(); }

  std::atomic<int> calls_ = 0;            ///< collectives on their way
  std::atomic<std::int64_t> end_ns_ = 0;  ///< of the window; in the past: there is none
  std::atomic<Target*> target_ = nullptr;
  std::atomic<std::uint64_t> launched_ = 0;  ///< and not published yet
  std::atomic<bool> ending_ = false;
  sem_t opened_{};  ///< wakes the thread

  std::mutex mutex_;  ///< of what follows
  std::list<Target> targets_;
  pthread_t thread_{};
  bool started_ = false;
  bool start_failed_ = false;
};

/// The process's only one. Never destroyed: a program may end without MPI_Finalize, and a child process has no thread
/// to wait for.
GhostKernels& ghost_kernels() noexcept;

}  // namespace airamp::pmpi
