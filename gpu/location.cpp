// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/location.hpp"

#include "gpu/cuda/pointer_probe.hpp"
#include "gpu/driver_library.hpp"
#include "gpu/hip/pointer_probe.hpp"

namespace airamp::gpu {
namespace {

/// MPI libraries give MPI_BOTTOM and MPI_IN_PLACE small numbers of either sign. No memory is there.
bool is_special(const void* pointer) {
  constexpr std::uintptr_t page = 4096;
  return reinterpret_cast<std::uintptr_t>(pointer) + page < 2 * page;
}

}  // namespace

Location locate(const void* pointer) noexcept {
  if (is_special(pointer)) return {};
  const std::uint64_t load_count = loaded_library_count();
  const Location location = cuda::locate(pointer, load_count);
  return location.memory != Memory::host ? location : hip::locate(pointer, load_count);
}

bool host_has_gpu() noexcept { return cuda::host_has_device() || hip::host_has_device(); }

}  // namespace airamp::gpu
