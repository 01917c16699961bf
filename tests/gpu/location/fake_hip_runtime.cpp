// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A HIP runtime without a GPU; with FAKE_HIP_RELEASE 5 or 6, which number the kinds of memory differently and treat a
// pointer that they do not know differently.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "tests/gpu/location/fake_driver.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

using airamp::gpu::test::FakeDriver;
using airamp::gpu::test::FakeMemory;

EXPORT FakeDriver fake_driver;
FakeDriver fake_driver;

namespace {

constexpr int success = 0, invalid_value = 1, hsa_not_initialised = 0x100b;

/// Every function initialises the runtime.
void initialise() {
  if (fake_driver.initialised) return;
  fake_driver.initialised = true;
  ++fake_driver.intrusions;
}

/// An error stays until it is asked for.
int finish(int status) {
  if (status != success) fake_driver.last_error = status;
  return status;
}

}  // namespace

struct FakePointerAttributes {
  int type;
  int device;
  void* device_pointer;
  void* host_pointer;
  int is_managed;
  unsigned allocation_flags;
};

// NOLINTBEGIN(readability-identifier-naming): the names are HIP's.
EXPORT int hipPointerGetAttributes(FakePointerAttributes* attributes, const void* pointer) {
  initialise();
  ++fake_driver.queries;
  const auto found = std::find_if(
      fake_driver.memory.begin(), fake_driver.memory.end(),
      [pointer](const FakeMemory& memory) { return memory.contains(reinterpret_cast<std::uintptr_t>(pointer)); });
  *attributes = {};
  if (found == fake_driver.memory.end()) {
#if FAKE_HIP_RELEASE >= 6
    attributes->device = -2;
    return finish(success);
#else
    return finish(invalid_value);
#endif
  }
  attributes->type = static_cast<int>(found->type);
  attributes->device = found->device;
  attributes->is_managed = found->managed ? 1 : 0;
  return finish(success);
}

EXPORT int hipPeekAtLastError() {
  initialise();
  return fake_driver.last_error;
}

EXPORT int hipGetLastError() {
  initialise();
  return std::exchange(fake_driver.last_error, success);
}

EXPORT int hipRuntimeGetVersion(int* version) {
  initialise();
  *version = FAKE_HIP_RELEASE * 10'000'000;
  return success;
}

#if FAKE_HIP_RELEASE >= 6
EXPORT int hipGetDevicePropertiesR0600(void* /*properties*/, int /*device*/) {
  initialise();
  return success;
}
#endif

/// Of the library below the runtime: initialises nothing.
EXPORT int hsa_system_get_info(int attribute, void* value) {
  if (!fake_driver.initialised) return hsa_not_initialised;
  if (attribute != 0) return invalid_value;
  *static_cast<std::uint16_t*>(value) = 1;
  return success;
}

EXPORT int hipSetDevice(int /*device*/) {
  ++fake_driver.intrusions;
  return success;
}
// NOLINTEND(readability-identifier-naming)
