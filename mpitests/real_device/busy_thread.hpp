// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace airamp::gpu_tests {

/// A thread that uses a GPU as applications do, at random and without a pause: kernels, copies, graphs that it
/// captures, memory that it allocates and frees. It makes no MPI call, and checks what its own work has left.
class BusyThread {
 public:
  BusyThread(int device, std::uint64_t seed);
  ~BusyThread();
  BusyThread(const BusyThread&) = delete;
  BusyThread& operator=(const BusyThread&) = delete;

  /// Ends it. Says what went wrong with its own work, nothing if all was right.
  std::string stop();

  /// Pieces of work that it has done; after stop().
  std::uint64_t done() const { return done_; }

 private:
  void run(int device, std::uint64_t seed);

  std::atomic<bool> stopping_{false};
  std::string mistake_;
  std::uint64_t done_ = 0;
  std::thread thread_;
};

}  // namespace airamp::gpu_tests
