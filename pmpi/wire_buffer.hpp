// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "gpu/codec.hpp"
#include "pmpi/gpu_device.hpp"

namespace airamp::pmpi {

/// Zeroed host memory for wire rows, aligned to cache lines.
class WireBuffer {
 public:
  /// Throws std::bad_alloc.
  explicit WireBuffer(std::size_t rows) : memory_(allocate(bytes_of(rows)), Free{nullptr}) { touch(rows); }

  /// Pinned memory, which the GPU reaches as well. Throws std::bad_alloc.
  WireBuffer(std::size_t rows, GpuDevice& device) : memory_(device.allocate_host(bytes_of(rows)), Free{&device}) {
    touch(rows);
  }

  std::byte* row(std::size_t index) { return memory_.get() + index * gpu::wire_row_bytes; }

 private:
  struct Free {
    void operator()(std::byte* memory) const {
      if (device == nullptr) return std::free(memory);
      device->free_host(memory);
    }
    GpuDevice* device;  ///< that pinned it; nullptr: ordinary memory
  };

  static std::byte* allocate(std::size_t bytes) {
    constexpr std::size_t cache_line = 64;
    return static_cast<std::byte*>(std::aligned_alloc(cache_line, bytes));
  }
  static std::size_t bytes_of(std::size_t rows) { return (rows > 0 ? rows : 1) * gpu::wire_row_bytes; }

  void touch(std::size_t rows) {
    if (!memory_) throw std::bad_alloc();
    std::memset(memory_.get(), 0, bytes_of(rows));  // touched now: no page fault inside a call
  }

  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace airamp::pmpi
