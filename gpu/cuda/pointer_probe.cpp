// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/pointer_probe.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
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
constexpr int concurrent_managed_access = 89;  // of a device

struct Driver {
  int (*pointer_get_attributes)(unsigned count, const Attribute* attributes, void** values, std::uintptr_t pointer);
  int (*device_get)(int* device, int ordinal);
  int (*device_get_attribute)(int* value, int attribute, int device);
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
                        resolve(library, "cuDeviceGetAttribute", driver.device_get_attribute) &&
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

bool ask_for_concurrent_access(const Driver& driver, int ordinal) {
  int device = 0;
  int concurrent = 0;
  return driver.device_get(&device, ordinal) == success &&
         driver.device_get_attribute(&concurrent, concurrent_managed_access, device) == success && concurrent != 0;
}

/// Whether kernels of a device may use managed memory while the host does. Asked once for each device.
bool has_concurrent_access(const Driver& driver, int ordinal) {
  enum class Answer : char { unknown, no, yes };
  static constinit std::array<std::atomic<Answer>, 64> answers{};
  if (ordinal < 0) return false;
  if (static_cast<std::size_t>(ordinal) >= answers.size()) return ask_for_concurrent_access(driver, ordinal);
  std::atomic<Answer>& answer = answers[static_cast<std::size_t>(ordinal)];
  Answer known = answer.load(std::memory_order_relaxed);
  if (known == Answer::unknown) {
    known = ask_for_concurrent_access(driver, ordinal) ? Answer::yes : Answer::no;
    answer.store(known, std::memory_order_relaxed);
  }
  return known == Answer::yes;
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
  const bool migrates = managed != 0 || type == memory_type_unified;
  if (!migrates && type != memory_type_device) return {};
  const Memory memory = migrates ? Memory::managed : Memory::device;
  if (migrates && !has_concurrent_access(*driver, ordinal)) return {.memory = memory};
  if (context == nullptr) context = context_of_device(*driver, ordinal);
  return {.memory = memory, .platform = Platform::cuda, .device = ordinal, .context = context};
}

bool host_has_device() noexcept {
  std::error_code error;
  if (std::filesystem::exists("/dev/nvidiactl", error)) return true;
  // The device file is made by the first program that uses the driver.
  const std::filesystem::directory_iterator devices("/proc/driver/nvidia/gpus", error);
  return !error && devices != std::filesystem::directory_iterator();
}

}  // namespace airamp::gpu::cuda
