// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/scratch.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mpitests/fake_gpu/failure.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::fake_gpu {
namespace {

struct Name {
  int process;
  int descriptor;
  std::size_t bytes;
};
static_assert(sizeof(Name) <= sizeof(gpu::ExportedMemory));

}  // namespace

std::byte* Scratch::add(int descriptor, std::size_t bytes, gpu::Error& error) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) {
    explain(error, "the fake GPU's scratch memory cannot be mapped");
    close(descriptor);
    return nullptr;
  }
  const std::lock_guard lock(mutex_);
  mappings_[static_cast<std::byte*>(memory)] = {bytes, descriptor};
  return static_cast<std::byte*>(memory);
}

std::byte* Scratch::allocate(std::size_t bytes, gpu::ExportedMemory& name, gpu::Error& error) {
  const int descriptor = memfd_create("fake_gpu_scratch", MFD_CLOEXEC);
  if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
    explain(error, "no memory for the fake GPU's scratch");
    if (descriptor >= 0) close(descriptor);
    return nullptr;
  }
  std::byte* memory = add(descriptor, bytes, error);
  if (memory == nullptr) return nullptr;
  std::memset(memory, 0xff, bytes);
  fake_gpu_adopt(memory, bytes);
  const Name own{.process = getpid(), .descriptor = descriptor, .bytes = bytes};
  std::memcpy(name.bytes.data(), &own, sizeof own);
  return memory;
}

std::byte* Scratch::map(const gpu::ExportedMemory& name, gpu::Error& error) {
  Name other{};
  std::memcpy(&other, name.bytes.data(), sizeof other);
  const std::string path = "/proc/" + std::to_string(other.process) + "/fd/" + std::to_string(other.descriptor);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    explain(error, "cannot open " + path);
    return nullptr;
  }
  return add(descriptor, other.bytes, error);
}

bool Scratch::is_erased(const std::byte* memory) {
  const std::lock_guard lock(mutex_);
  return std::all_of(memory, memory + mappings_.at(memory).bytes,
                     [](std::byte byte) { return byte == std::byte{0xff}; });
}

void Scratch::release(std::byte* memory) {
  const std::lock_guard lock(mutex_);
  const auto found = mappings_.find(memory);
  if (found == mappings_.end()) std::abort();
  fake_gpu_abandon(memory);
  munmap(memory, found->second.bytes);
  close(found->second.descriptor);
  mappings_.erase(found);
}

}  // namespace airamp::fake_gpu
