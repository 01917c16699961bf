// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Drivers map device and managed memory where mmap(2) finds room. None of these three is such a place.
#include "gpu/own_memory.hpp"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/find_line.hpp"

/// Where the heap ends, as the C library keeps it; other C libraries than GNU's have no such variable.
/// Not sbrk(0): where UCX watches the memory, that asks for the end and then sets it, and what another thread's
/// malloc(3) gained in between is lost.
extern "C" [[gnu::weak, gnu::visibility("default")]] char* __curbrk;  // NOLINT(bugprone-reserved-identifier)

namespace airamp::gpu {
namespace {

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool contains(std::uintptr_t address) const { return address >= begin && address < end; }
};

/// Where the heap begins; above all addresses if there is none.
std::uintptr_t find_heap() {
  std::uintptr_t begin = 0;
  const bool found = base::find_line("/proc/self/maps", [&](const char* line) {
    return std::strstr(line, " [heap]") != nullptr && std::sscanf(line, "%" SCNxPTR, &begin) == 1;
  });
  return found ? begin : UINTPTR_MAX;
}

/// The executable's last writable segment: the first object of all is the executable.
Range find_variables() {
  Range variables;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t /*size*/, void* data) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          *static_cast<Range*>(data) = {begin, begin + segment.p_memsz};
        }
        return 1;
      },
      &variables);
  return variables;
}

/// The calling thread's stack; the main thread's may be without a limit, and what lies far below it is not its own.
Range find_stack() {
  constexpr std::uintptr_t max_bytes = std::uintptr_t{64} << 20;
  pthread_attr_t attributes;
  void* begin = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {1, 1};
  const bool known = pthread_attr_getstack(&attributes, &begin, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return {1, 1};
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(begin) + bytes;
  return {end - std::min<std::uintptr_t>(bytes, max_bytes), end};
}

[[gnu::tls_model("initial-exec")]] thread_local Range stack;

/// A thread may run on another stack than its own, in a coroutine or a signal handler; then it is not looked at.
bool is_on_stack(std::uintptr_t address, std::uintptr_t frame) {
  if (stack.end == 0) stack = find_stack();
  return stack.contains(frame) && address >= frame && address < stack.end;
}

bool is_in_heap(std::uintptr_t address) {
  static const std::uintptr_t begin = find_heap();
  if (address < begin || &__curbrk == nullptr) return false;
  return address < reinterpret_cast<std::uintptr_t>(__atomic_load_n(&__curbrk, __ATOMIC_RELAXED));
}

bool is_variable(std::uintptr_t address) {
  static const Range variables = find_variables();
  return variables.contains(address);
}

}  // namespace

bool is_own_memory(const void* pointer) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return is_on_stack(address, frame) || is_in_heap(address) || is_variable(address);
}

}  // namespace airamp::gpu
