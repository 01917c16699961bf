// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/pointer_probe.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "gpu/driver_library.hpp"

namespace airamp::gpu::cuda {
namespace {

// The few lines of the driver's interface that are needed, so that the core library builds without its headers. They
// are part of a binary interface that does not change.
constexpr int success = 0;
enum class Attribute : int { context = 1, memory_type = 2, is_managed = 8, device_ordinal = 9 };
constexpr unsigned memory_type_device = 2;
constexpr unsigned memory_type_unified = 4;

struct Driver {
  int (*pointer_get_attributes)(unsigned count, const Attribute* attributes, void** values, std::uintptr_t pointer);
  int (*device_get)(int* device, int ordinal);
  int (*primary_context_get_state)(int device, unsigned* flags, int* active);
  int (*primary_context_retain)(void** context, int device);
  int (*primary_context_release)(int device);
  int (*context_get_current)(void** context);
  int (*context_get_device)(int* device);
};

template <typename Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// The driver's functions, or nullptr if it lacks one of them.
const Driver* load_driver(void* library) {
  static Driver driver;
  const bool complete = resolve(library, "cuPointerGetAttributes", driver.pointer_get_attributes) &&
                        resolve(library, "cuDeviceGet", driver.device_get) &&
                        resolve(library, "cuDevicePrimaryCtxGetState", driver.primary_context_get_state) &&
                        resolve(library, "cuDevicePrimaryCtxRetain", driver.primary_context_retain) &&
                        resolve(library, "cuDevicePrimaryCtxRelease_v2", driver.primary_context_release) &&
                        resolve(library, "cuCtxGetCurrent", driver.context_get_current) &&
                        resolve(library, "cuCtxGetDevice", driver.context_get_device);
  if (complete) return &driver;
  dlerror();
  return nullptr;
}

const Driver* find_driver(std::uint64_t load_count) {
  static constinit DriverLibrary library("libcuda.so");
  void* const handle = library.handle(load_count);
  if (handle == nullptr) return nullptr;
  static const Driver* const driver = load_driver(handle);
  return driver;
}

/// The context in which to work on memory that belongs to a device rather than to a context (of a memory pool, or
/// mapped by the application): the primary one if it is active, else the thread's own if it is of that device.
void* context_of_device(const Driver& driver, int ordinal) {
  int device = 0;
  unsigned flags = 0;
  int active = 0;
  if (driver.device_get(&device, ordinal) != success) return nullptr;
  if (driver.primary_context_get_state(device, &flags, &active) == success && active != 0) {
    // Retaining is the only way to learn the handle; it creates nothing, because the context is active. The handle
    // stays good for as long as the application keeps the context.
    void* primary = nullptr;
    if (driver.primary_context_retain(&primary, device) == success) {
      driver.primary_context_release(device);
      return primary;
    }
  }
  void* current = nullptr;
  int current_device = -1;
  if (driver.context_get_current(&current) != success || current == nullptr) return nullptr;
  return driver.context_get_device(&current_device) == success && current_device == device ? current : nullptr;
}

}  // namespace

Location locate(const void* pointer, std::uint64_t load_count) noexcept {
  const Driver* const driver = find_driver(load_count);
  if (driver == nullptr) return {};
  static constexpr std::array attributes{Attribute::memory_type, Attribute::is_managed, Attribute::context,
                                         Attribute::device_ordinal};
  unsigned type = 0;
  unsigned managed = 0;  // zero beforehand: the driver writes one byte of it
  void* context = nullptr;
  int ordinal = -1;
  std::array<void*, attributes.size()> values{&type, &managed, &context, &ordinal};
  // A driver that is not initialised and a pointer that it does not know are errors or zeros, and both are the host's.
  // The driver's functions leave no error behind.
  if (driver->pointer_get_attributes(attributes.size(), attributes.data(), values.data(),
                                     reinterpret_cast<std::uintptr_t>(pointer)) != success) {
    return {};
  }
  if (managed != 0 || type == memory_type_unified) return {.memory = Memory::managed};
  if (type != memory_type_device) return {};
  if (context == nullptr) context = context_of_device(*driver, ordinal);
  return {.memory = Memory::device, .platform = Platform::cuda, .device = ordinal, .context = context};
}

bool host_has_device() noexcept {
  std::error_code error;
  if (std::filesystem::exists("/dev/nvidiactl", error)) return true;
  // The device file is made by the first program that uses the driver.
  const std::filesystem::directory_iterator devices("/proc/driver/nvidia/gpus", error);
  return !error && devices != std::filesystem::directory_iterator();
}

}  // namespace airamp::gpu::cuda
