// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "gpu/codec.hpp"
#include "pmpi/gpu_device.hpp"
#include "pmpi/mapped_memory.hpp"

namespace airamp::pmpi {

/// Zeroed host memory for wire rows, aligned to cache lines and touched: no page fault inside a call.
class WireBuffer {
 public:
  /// Throws std::bad_alloc.
  explicit WireBuffer(std::size_t rows) : mapped_(bytes_of(rows)), rows_(mapped_.data()) {
    if (rows_ == nullptr) throw std::bad_alloc();
  }

  /// Pinned memory, which the GPU reaches as well. Throws std::bad_alloc.
  WireBuffer(std::size_t rows, GpuDevice& device)
      : pinned_(device.allocate_host(bytes_of(rows)), Unpin{&device}), rows_(pinned_.get()) {
    if (rows_ == nullptr) throw std::bad_alloc();
    std::memset(rows_, 0, bytes_of(rows));
  }

  std::byte* row(std::size_t index) { return rows_ + index * gpu::wire_row_bytes; }

 private:
  struct Unpin {
    void operator()(std::byte* memory) const { device->free_host(memory); }
    GpuDevice* device;
  };

  static std::size_t bytes_of(std::size_t rows) { return (rows > 0 ? rows : 1) * gpu::wire_row_bytes; }

  MappedMemory mapped_;
  std::unique_ptr<std::byte, Unpin> pinned_;
  std::byte* rows_;
};

}  // namespace airamp::pmpi
