// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <new>

namespace airamp::benchmark {

/// Seconds of the host's clock, which all its processes share. MPI_Wtime need not be: Open MPI's begins in each process
/// with its first call.
inline double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Lets all ranks of one host begin something at the same moment, as late as the last of them is. They meet in memory
/// of their own: to meet by the MPI library would bring its code and data back into the caches that a compute phase has
/// emptied. Collective over MPI_COMM_WORLD where it is made and where it ends.
class CommonStart {
 public:
  CommonStart() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    void* memory = nullptr;
    // MPI aligns it to no more than the largest of its own types: the offset of what is aligned is the same on all
    // ranks where they map whole pages.
    MPI_Win_allocate_shared(rank_ == 0 ? sizeof(Shared) + alignof(Shared) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                            &memory, &window_);
    MPI_Aint bytes = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory);
    auto room = static_cast<std::size_t>(bytes);
    std::align(alignof(Shared), sizeof(Shared), memory, room);
    shared_ = rank_ == 0 ? new (memory) Shared : static_cast<Shared*>(memory);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~CommonStart() { MPI_Win_free(&window_); }
  CommonStart(const CommonStart&) = delete;
  CommonStart& operator=(const CommonStart&) = delete;

  /// Returns at the moment, which it also returns, by host_seconds.
  double wait() {
    const int all = ++turn_ * ranks_;
    if (shared_->come.fetch_add(1, std::memory_order_acq_rel) + 1 == all) {
      shared_->start.store(host_seconds() + seconds_to_hear, std::memory_order_relaxed);
      shared_->begun.store(turn_, std::memory_order_release);
    }
    for (int looks = 0; shared_->begun.load(std::memory_order_acquire) < turn_; ++looks) {
      if (looks > looks_before_yielding) sched_yield();  // ranks may share a processor
    }
    const double start = shared_->start.load(std::memory_order_relaxed);
    while (host_seconds() < start) {
    }
    return start;
  }

 private:
  struct Shared {
    std::atomic<int> come{0};
    alignas(64) std::atomic<int> begun{0};
    std::atomic<double> start{0};
  };
  static constexpr double seconds_to_hear = 10e-6;
  static constexpr int looks_before_yielding = 100000;

  int rank_ = 0;
  int ranks_ = 1;
  int turn_ = 0;
  MPI_Win window_ = MPI_WIN_NULL;
  Shared* shared_ = nullptr;
};

}  // namespace airamp::benchmark
