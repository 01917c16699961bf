// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <stdexcept>

#include "tests/gpu/location/fake_driver.hpp"

namespace airamp::gpu::test {

/// Loads a fake driver library the way an application's runtime does, for the rest of the process, and returns what it
/// exports.
inline FakeDriver& load_fake_driver(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return *static_cast<FakeDriver*>(dlsym(library, "fake_driver"));
}

/// Memory that a fake driver may call its own: mapped, as a driver's is.
class MappedMemory {
 public:
  MappedMemory() {
    memory_ = static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED) throw std::runtime_error("mmap");
  }
  ~MappedMemory() { munmap(memory_, bytes); }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  std::byte* data() const { return memory_; }
  static std::size_t size() { return bytes; }

 private:
  static constexpr std::size_t bytes = 4096;
  std::byte* memory_;
};
inline const MappedMemory some_memory, other_memory;

}  // namespace airamp::gpu::test
