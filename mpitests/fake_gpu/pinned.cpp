// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/pinned.hpp"

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

namespace airamp::fake_gpu {
namespace {

std::mutex mutex;

/// Sizes in bytes by address. Never destroyed: exit handlers may still use it.
std::map<const std::byte*, std::size_t>& allocations() {
  static auto& all = *new std::map<const std::byte*, std::size_t>;
  return all;
}

}  // namespace

std::byte* allocate_pinned(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(page, (bytes + page - 1) / page * page));
  if (memory == nullptr) return nullptr;
  const std::lock_guard lock(mutex);
  allocations()[memory] = bytes;
  return memory;
}

void free_pinned(std::byte* memory) {
  {
    const std::lock_guard lock(mutex);
    allocations().erase(memory);
  }
  std::free(memory);
}

bool is_pinned(const void* memory, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(memory);
  const std::lock_guard lock(mutex);
  const auto after = allocations().upper_bound(begin);
  if (after == allocations().begin()) return false;
  const auto& [first, size] = *std::prev(after);
  const auto offset = static_cast<std::size_t>(begin - first);
  return offset <= size && bytes <= size - offset;
}

}  // namespace airamp::fake_gpu
