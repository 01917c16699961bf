// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "gpu/codec.hpp"

namespace airamp::pmpi {

/// Zeroed host memory for wire rows, aligned to cache lines.
class WireBuffer {
 public:
  WireBuffer() = default;

  /// Throws std::bad_alloc.
  explicit WireBuffer(std::size_t rows) {
    constexpr std::size_t cache_line = 64;
    const std::size_t bytes = (rows > 0 ? rows : 1) * gpu::wire_row_bytes;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(cache_line, bytes)));
    if (!memory_) throw std::bad_alloc();
    std::memset(memory_.get(), 0, bytes);  // touched now: no page fault inside a call
  }

  std::byte* row(std::size_t index) { return memory_.get() + index * gpu::wire_row_bytes; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace airamp::pmpi
