// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace airamp::gpu::test {

/// Memory where a driver would map it.
template <std::size_t bytes>
class MappedMemory {
 public:
  MappedMemory() : memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~MappedMemory() { munmap(memory_, bytes); }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  static constexpr std::size_t size() { return bytes; }

 private:
  void* memory_;
};

}  // namespace airamp::gpu::test
