// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>

namespace airamp::pmpi {

/// Zeroed memory in a mapping of its own, every page of it present. Mapped, not allocated: scratch that comes and goes
/// would leave holes in the application's heap, and the MPI library would find other memory in it than without us.
/// Empty if there is none to be had, or for no bytes.
class MappedMemory {
 public:
  MappedMemory() = default;
  explicit MappedMemory(std::size_t bytes) {
    if (bytes == 0) return;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory != MAP_FAILED) memory_ = {static_cast<std::byte*>(memory), Unmap{bytes}};
  }

  std::byte* data() const { return memory_.get(); }

 private:
  struct Unmap {
    void operator()(std::byte* memory) const { munmap(memory, bytes); }
    std::size_t bytes;
  };
  std::unique_ptr<std::byte, Unmap> memory_;
};

}  // namespace airamp::pmpi
