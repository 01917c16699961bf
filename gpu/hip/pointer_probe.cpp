// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/hip/pointer_probe.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "gpu/driver_library.hpp"

namespace airamp::gpu::hip {
namespace {

// The few lines of the runtime's interface that are needed, so that the core library builds without its headers.
constexpr int success = 0;

/// hipPointerAttribute_t: one layout in all releases, with room for what later ones may append.
struct PointerAttributes {
  int type;
  int device;
  void* device_pointer;
  void* host_pointer;
  int is_managed;
  unsigned allocation_flags;
  std::uint64_t reserve[8];
};

struct Runtime {
  int (*pointer_get_attributes)(PointerAttributes* attributes, const void* pointer);
  int (*peek_at_last_error)();
  int (*get_last_error)();
  /// hsa_system_get_info, of the library below; may be nullptr.
  int (*system_info)(int attribute, void* value);
  /// Numbers of hipMemoryType: up to release 5 a host pointer is 0 and a device pointer 1, later 1 and 2.
  int type_device;
};

template <typename Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// The runtime's functions, or nullptr if it lacks one of them.
const Runtime* load_runtime(void* library) {
  static Runtime runtime;
  const bool complete = resolve(library, "hipPointerGetAttributes", runtime.pointer_get_attributes) &&
                        resolve(library, "hipPeekAtLastError", runtime.peek_at_last_error) &&
                        resolve(library, "hipGetLastError", runtime.get_last_error);
  // dlsym looks into the libraries that this one needs as well.
  resolve(library, "hsa_system_get_info", runtime.system_info);
  // Asking for the version would initialise the runtime; this function came with release 6, as the new numbers did.
  runtime.type_device = dlsym(library, "hipGetDevicePropertiesR0600") != nullptr ? 2 : 1;
  dlerror();
  return complete ? &runtime : nullptr;
}

const Runtime* find_runtime(std::uint64_t load_count) {
  static constinit DriverLibrary library("libamdhip64.so");
  void* const handle = library.handle(load_count);
  if (handle == nullptr) return nullptr;
  static const Runtime* const runtime = load_runtime(handle);
  return runtime;
}

/// Every function of the runtime initialises it, and with it the choice of visible devices. The library below answers
/// only once that has been done.
bool is_initialised(const Runtime& runtime) {
  constexpr int version_major = 0;
  std::uint16_t version = 0;
  return runtime.system_info == nullptr || runtime.system_info(version_major, &version) == success;
}

}  // namespace

Location locate(const void* pointer, std::uint64_t load_count) noexcept {
  const Runtime* const runtime = find_runtime(load_count);
  if (runtime == nullptr || !is_initialised(*runtime)) return {};
  const int earlier_error = runtime->peek_at_last_error();
  PointerAttributes attributes{};
  if (runtime->pointer_get_attributes(&attributes, pointer) != success) {
    // Host memory, up to release 5. Our error must not be found by the application, but one of its own must.
    if (earlier_error == success) runtime->get_last_error();
    return {};
  }
  if (attributes.is_managed != 0 || attributes.type > runtime->type_device) return {.memory = Memory::managed};
  if (attributes.type != runtime->type_device) return {};
  return {.memory = Memory::device, .platform = Platform::hip, .device = attributes.device, .context = nullptr};
}

bool host_has_device() noexcept {
  std::error_code error;
  if (!std::filesystem::exists("/dev/kfd", error)) return false;
  std::filesystem::directory_iterator nodes("/sys/class/kfd/kfd/topology/nodes", error);
  for (; !error && nodes != std::filesystem::directory_iterator(); nodes.increment(error)) {
    // Processors are nodes too; their number is zero.
    std::ifstream file(nodes->path() / "gpu_id");
    unsigned long long number = 0;
    if (file >> number && number != 0) return true;
  }
  return false;
}

}  // namespace airamp::gpu::hip
