// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A CUDA driver without a GPU: the functions that AIRamp asks, as CUDA's reference manual describes them, and some that
// it must never call.
#include <algorithm>
#include <cstring>

#include "tests/gpu/location/fake_driver.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

using airamp::gpu::test::FakeDriver;
using airamp::gpu::test::FakeMemory;

EXPORT FakeDriver fake_driver;
FakeDriver fake_driver;

namespace {

constexpr int success = 0, invalid_value = 1, not_initialized = 3, invalid_device = 101, invalid_context = 201;
constexpr int device_count = 4;

void write(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's.
EXPORT int cuPointerGetAttributes(unsigned count, const int* attributes, void** values, std::uintptr_t pointer) {
  ++fake_driver.queries;
  if (!fake_driver.initialised) return not_initialized;
  const auto found = std::find_if(fake_driver.memory.begin(), fake_driver.memory.end(),
                                  [pointer](const FakeMemory& memory) { return memory.contains(pointer); });
  const FakeMemory unknown{.device = -2};
  const FakeMemory& memory = found == fake_driver.memory.end() ? unknown : *found;
  for (unsigned i = 0; i < count; ++i) {
    switch (attributes[i]) {
      case 1:
        write(values[i], &memory.context, sizeof memory.context);
        break;
      case 2:
        write(values[i], &memory.type, sizeof memory.type);
        break;
      case 8:
        write(values[i], &memory.managed, sizeof memory.managed);
        break;
      case 9:
        write(values[i], &memory.device, sizeof memory.device);
        break;
      default:
        return invalid_value;
    }
  }
  return success;
}

/// Handles differ from ordinals here, so that nobody takes one for the other.
EXPORT int cuDeviceGet(int* device, int ordinal) {
  if (ordinal < 0 || ordinal >= device_count) return invalid_device;
  *device = 100 + ordinal;
  return success;
}

EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device) {
  constexpr int concurrent_managed_access = 89;
  if (device < 100) return invalid_device;
  if (attribute != concurrent_managed_access) return invalid_value;
  ++fake_driver.attribute_queries;
  *value = fake_driver.concurrent_managed_access ? 1 : 0;
  return success;
}

EXPORT int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  if (device < 100) return invalid_device;
  *flags = 0;
  *active = fake_driver.primary_active ? 1 : 0;
  return success;
}

EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  if (device < 100) return invalid_device;
  if (!fake_driver.primary_active) ++fake_driver.intrusions;
  ++fake_driver.primary_references;
  *context = fake_driver.primary_context;
  return success;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  if (device < 100) return invalid_device;
  --fake_driver.primary_references;
  return success;
}

EXPORT int cuCtxGetCurrent(void** context) {
  *context = fake_driver.current_context;
  return success;
}

EXPORT int cuCtxGetDevice(int* device) {
  if (fake_driver.current_context == nullptr) return invalid_context;
  *device = 100 + fake_driver.current_device;
  return success;
}

EXPORT int cuInit(unsigned /*flags*/) {
  ++fake_driver.intrusions;
  return success;
}

EXPORT int cuCtxCreate_v2(void** /*context*/, unsigned /*flags*/, int /*device*/) {
  ++fake_driver.intrusions;
  return success;
}

EXPORT int cuCtxSetCurrent(void* /*context*/) {
  ++fake_driver.intrusions;
  return success;
}
// NOLINTEND(readability-identifier-naming)
