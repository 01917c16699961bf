// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/location.hpp"

#include "gpu/cuda/pointer_probe.hpp"
#include "gpu/driver_library.hpp"
#include "gpu/hip/pointer_probe.hpp"
#include "gpu/own_memory.hpp"

namespace airamp::gpu {
namespace {

/// MPI libraries give MPI_BOTTOM and MPI_IN_PLACE small numbers of either sign. No memory is there.
bool is_special(const void* pointer) {
  constexpr std::uintptr_t page = 4096;
  return reinterpret_cast<std::uintptr_t>(pointer) + page < 2 * page;
}

/// Whether no driver need be asked.
bool is_hosts(const void* pointer) noexcept { return is_special(pointer) || is_own_memory(pointer); }

Location locate_any(const void* pointer, std::uint64_t load_count) noexcept {
  const Location location = cuda::locate(pointer, load_count);
  return location.memory != Memory::host ? location : hip::locate(pointer, load_count);
}

}  // namespace

Location locate(const void* pointer) noexcept {
  return is_hosts(pointer) ? Location{} : locate_any(pointer, loaded_library_count());
}

bool either_on_device(const void* first, const void* second) noexcept {
  const bool ask_first = !is_hosts(first);
  const bool ask_second = second != first && !is_hosts(second);
  if (!ask_first && !ask_second) return false;
  const std::uint64_t load_count = loaded_library_count();
  const auto on_device = [load_count](const void* pointer) {
    return locate_any(pointer, load_count).memory == Memory::device;
  };
  return (ask_first && on_device(first)) || (ask_second && on_device(second));
}

bool host_has_gpu() noexcept { return cuda::host_has_device() || hip::host_has_device(); }

}  // namespace airamp::gpu
