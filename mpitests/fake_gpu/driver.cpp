// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The functions of the CUDA driver that say where a pointer lives, as CUDA's reference manual describes them.
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "mpitests/fake_gpu/memory.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using airamp::fake_gpu::Kind;

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int memory_type_host = 1;
constexpr int memory_type_device = 2;

template <class T>
void answer(void* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's.
EXPORT int cuPointerGetAttributes(unsigned count, const int* attributes, void** values, std::uintptr_t pointer) {
  airamp::fake_gpu::Allocation allocation{};
  const bool known = airamp::fake_gpu::find_allocation(pointer, allocation);
  const Kind kind = allocation.kind;
  std::uintptr_t context = 0;
  if (known && kind != Kind::virtual_mapping) context = airamp::fake_gpu::primary_context;
  if (known && kind == Kind::other_context) context = airamp::fake_gpu::second_context;
  for (unsigned i = 0; i < count; ++i) {
    switch (attributes[i]) {
      case 1:
        answer(values[i], context);
        break;
      case 2:
        answer(values[i], !known ? 0 : kind == Kind::registered ? memory_type_host : memory_type_device);
        break;
      case 8:
        answer(values[i], known && kind == Kind::managed);
        break;
      case 9:
        answer(values[i], known ? 0 : -2);
        break;
      default:
        return invalid_value;
    }
  }
  return success;
}

EXPORT int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? success : invalid_value;
}

EXPORT int cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
  constexpr int concurrent_managed_access = 89;
  if (attribute != concurrent_managed_access) return invalid_value;
  const char* const told = std::getenv("FAKE_GPU_CONCURRENT_MANAGED");
  *value = told != nullptr && std::string_view(told) == "0" ? 0 : 1;
  return success;
}

EXPORT int cuDevicePrimaryCtxGetState(int /*device*/, unsigned* flags, int* active) {
  *flags = 0;
  *active = 1;
  return success;
}

EXPORT int cuDevicePrimaryCtxRetain(std::uintptr_t* context, int /*device*/) {
  *context = airamp::fake_gpu::primary_context;
  return success;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int /*device*/) { return success; }

EXPORT int cuCtxGetCurrent(std::uintptr_t* context) {
  *context = airamp::fake_gpu::primary_context;
  return success;
}

EXPORT int cuCtxGetDevice(int* device) {
  *device = 0;
  return success;
}
// NOLINTEND(readability-identifier-naming)
