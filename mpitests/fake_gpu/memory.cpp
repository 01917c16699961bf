// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#define EXPORT __attribute__((visibility("default")))

namespace airamp::fake_gpu {
namespace {

std::mutex mutex;
std::atomic<unsigned long> ghosts = 0;  ///< launched
std::atomic<bool> occupied{false};
std::atomic<bool> held_up{false};
std::atomic<bool> default_stream_busy{false};
std::atomic<unsigned long> resets{0};

/// By address. Never destroyed: exit handlers may still use it.
std::map<std::uintptr_t, Allocation>& allocations() {
  static auto& all = *new std::map<std::uintptr_t, Allocation>;
  return all;
}

bool is_readable_by_environment() {
  const char* readable = std::getenv("FAKE_GPU_READABLE");
  return readable != nullptr && std::string_view(readable) == "1";
}

/// From the beginning: a program may clear its environment.
const bool all_readable = is_readable_by_environment();

bool host_reads(Kind kind) { return all_readable || kind == Kind::managed || kind == Kind::registered; }

void* map(int descriptor, std::size_t bytes, int protection) {
  void* memory = mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

bool find_allocation(std::uintptr_t pointer, Allocation& allocation) {
  const std::lock_guard lock(mutex);
  auto after = allocations().upper_bound(pointer);
  if (after == allocations().begin()) return false;
  allocation = (--after)->second;
  return pointer - allocation.begin < allocation.bytes;
}

}  // namespace airamp::fake_gpu

using airamp::fake_gpu::Allocation;
using airamp::fake_gpu::Kind;

EXPORT void* fake_gpu_allocate(std::size_t bytes, Kind kind) {
  constexpr std::size_t page = 4096;
  const std::size_t whole = (bytes / page + 1) * page;
  const int descriptor = memfd_create("fake_gpu", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  const bool sized = ftruncate(descriptor, static_cast<off_t>(whole)) == 0;
  void* host = sized ? airamp::fake_gpu::map(descriptor, whole, PROT_READ | PROT_WRITE) : nullptr;
  void* seen = nullptr;
  if (host != nullptr) {
    seen = airamp::fake_gpu::map(descriptor, whole,
                                 airamp::fake_gpu::host_reads(kind) ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
  close(descriptor);
  if (seen == nullptr) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(seen);
  const std::lock_guard lock(airamp::fake_gpu::mutex);
  airamp::fake_gpu::allocations()[begin] = {begin, static_cast<std::byte*>(host), whole, kind};
  return seen;
}

EXPORT void fake_gpu_free(void* memory) {
  const std::lock_guard lock(airamp::fake_gpu::mutex);
  const auto found = airamp::fake_gpu::allocations().find(reinterpret_cast<std::uintptr_t>(memory));
  if (found == airamp::fake_gpu::allocations().end()) std::abort();
  munmap(found->second.host, found->second.bytes);
  munmap(memory, found->second.bytes);
  airamp::fake_gpu::allocations().erase(found);
}

EXPORT void fake_gpu_adopt(void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::lock_guard lock(airamp::fake_gpu::mutex);
  airamp::fake_gpu::allocations()[begin] = {begin, static_cast<std::byte*>(memory), bytes, Kind::device};
}

EXPORT void fake_gpu_abandon(void* memory) {
  const std::lock_guard lock(airamp::fake_gpu::mutex);
  airamp::fake_gpu::allocations().erase(reinterpret_cast<std::uintptr_t>(memory));
}

EXPORT void* fake_gpu_host_address(const void* pointer) {
  Allocation allocation{};
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!airamp::fake_gpu::find_allocation(address, allocation)) return const_cast<void*>(pointer);
  return allocation.host + (address - allocation.begin);
}

EXPORT bool fake_gpu_reaches(const void* context, const void* pointer, std::size_t bytes) {
  Allocation allocation{};
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!airamp::fake_gpu::find_allocation(address, allocation)) return false;
  if (bytes > allocation.bytes - (address - allocation.begin)) return false;
  const auto handle = reinterpret_cast<std::uintptr_t>(context);
  switch (allocation.kind) {
    case Kind::device:
      return handle == airamp::fake_gpu::primary_context;
    case Kind::other_context:
      return handle == airamp::fake_gpu::second_context;
    case Kind::virtual_mapping:
    case Kind::managed:
    case Kind::registered:
      break;
  }
  return true;
}

EXPORT void fake_gpu_occupy(bool occupied) { airamp::fake_gpu::occupied.store(occupied); }

EXPORT bool fake_gpu_is_occupied() { return airamp::fake_gpu::occupied.load(); }

EXPORT void fake_gpu_hold_up(bool held_up) { airamp::fake_gpu::held_up.store(held_up); }

EXPORT bool fake_gpu_is_held_up() { return airamp::fake_gpu::held_up.load(); }

EXPORT void fake_gpu_keep_default_stream_busy(bool busy) { airamp::fake_gpu::default_stream_busy.store(busy); }

EXPORT bool fake_gpu_default_stream_is_busy() { return airamp::fake_gpu::default_stream_busy.load(); }

EXPORT void fake_gpu_reset() { airamp::fake_gpu::resets.fetch_add(1); }

EXPORT unsigned long fake_gpu_resets() { return airamp::fake_gpu::resets.load(); }

EXPORT unsigned long fake_gpu_ghosts() { return airamp::fake_gpu::ghosts.load(); }

EXPORT void fake_gpu_count_ghost() { airamp::fake_gpu::ghosts.fetch_add(1); }
