// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Replaces operator new and delete of the program.
#include "tests/pola/failing_allocator.hpp"

#include <malloc.h>

#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
std::size_t until_failure = never;
std::size_t held_bytes = 0;

void* allocate(std::size_t size) noexcept {
  void* const memory = std::malloc(size);
  if (memory != nullptr) held_bytes += malloc_usable_size(memory);
  return memory;
}

void* allocate_or_fail(std::size_t size) noexcept {
  if (until_failure == 0) return nullptr;
  if (until_failure != never) --until_failure;
  return allocate(size);
}

void release(void* memory) noexcept {
  if (memory != nullptr) held_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_fail(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_fail(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

namespace airamp::pola {

FailingAllocation::FailingAllocation(std::size_t which) { until_failure = which; }
FailingAllocation::~FailingAllocation() { until_failure = never; }

AllocationMeter::AllocationMeter() : before_(held_bytes) {}
std::size_t AllocationMeter::bytes() const { return held_bytes - before_; }

}  // namespace airamp::pola
