// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/size_bucket.hpp"

namespace airamp::telemetry {

/// The calls of one function and size bucket, and their bytes.
struct CallCell {
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> bytes{0};

  /// One more call. `several_threads`: whether others may count at the same time. One alone needs no locked
  /// instruction, which would wait for all stores before it.
  void count(std::uint64_t of_bytes, bool several_threads) noexcept {
    add(calls, 1, several_threads);
    if (of_bytes != 0) add(bytes, of_bytes, several_threads);
  }

 private:
  static void add(std::atomic<std::uint64_t>& figure, std::uint64_t amount, bool several_threads) noexcept {
    if (several_threads) {
      figure.fetch_add(amount, std::memory_order_relaxed);
    } else {
      figure.store(figure.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }
  }
};

/// Counts calls and bytes per function and size bucket. Every operation is one or two additions: no lock, no
/// allocation, no system call. Thread-safe as `count` says; zero-initialised, so it costs memory only where it is used.
template <std::size_t Functions>
class CallCounters {
 public:
  /// `several_threads`: as of CallCell.
  void count(std::size_t function, std::uint64_t bytes, bool several_threads) noexcept {
    cell(function, size_bucket(bytes)).count(bytes, several_threads);
  }

  CallCell& cell(std::size_t function, unsigned bucket) noexcept { return cells_[function][bucket]; }
  const CallCell& cell(std::size_t function, unsigned bucket) const noexcept { return cells_[function][bucket]; }

  std::uint64_t calls(std::size_t function) const noexcept {
    std::uint64_t sum = 0;
    for (const CallCell& cell : cells_[function]) sum += cell.calls.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  std::array<std::array<CallCell, size_buckets>, Functions> cells_{};
};

}  // namespace airamp::telemetry
