// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace airamp::telemetry {

/// Power-of-two size bucket of a byte count: 0 for no bytes, else 1 + floor(log2(bytes)).
constexpr unsigned size_bucket(std::uint64_t bytes) { return static_cast<unsigned>(std::bit_width(bytes)); }

/// Smallest byte count of a bucket.
constexpr std::uint64_t bucket_lower_bound(unsigned bucket) {
  return bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
}

/// Largest byte count of a bucket.
constexpr std::uint64_t bucket_upper_bound(unsigned bucket) {
  return bucket == 0 ? 0 : (std::uint64_t{1} << (bucket - 1)) * 2 - 1;
}

inline constexpr unsigned size_buckets = 65;

/// Counts calls and bytes per function and size bucket. Every operation is one or two relaxed atomic additions: no
/// lock, no allocation, no system call. Thread-safe; zero-initialised, so it costs memory only where it is used.
template <std::size_t Functions>
class CallCounters {
 public:
  struct Cell {
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> bytes{0};
  };

  void count(std::size_t function, std::uint64_t bytes) noexcept {
    Cell& cell = cells_[function][size_bucket(bytes)];
    cell.calls.fetch_add(1, std::memory_order_relaxed);
    if (bytes != 0) cell.bytes.fetch_add(bytes, std::memory_order_relaxed);
  }

  const Cell& cell(std::size_t function, unsigned bucket) const noexcept { return cells_[function][bucket]; }

  std::uint64_t calls(std::size_t function) const noexcept {
    std::uint64_t sum = 0;
    for (const Cell& cell : cells_[function]) sum += cell.calls.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  std::array<std::array<Cell, size_buckets>, Functions> cells_{};
};

}  // namespace airamp::telemetry
