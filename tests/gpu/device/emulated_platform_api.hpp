// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What gpu/runtime/platform.hpp includes where the runtime is tested without a GPU: launches go to emulated GPUs, and
// whatever takes time lets these go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>

#include "gpu/backend.hpp"
#include "tests/gpu/device/emulated_gpus.hpp"

/// CUDA's and HIP's name.
struct dim3 {
  explicit dim3(std::uint32_t count) : x(count) {}
  std::uint32_t x;
};

namespace airamp::gpu::platform {

using Status = int;
inline constexpr Status success = 0;
inline constexpr Status not_ready = 1;
inline const char* text_of(Status) { return "not ready"; }
inline void forget_error() {}

/// What a rank's launches have in common.
struct EmulatedStream {
  std::uint32_t wave_lanes = device::warp_lanes;
  std::function<bool(std::uint32_t block)> has_room = [](std::uint32_t) { return true; };
  device::EmulatedMemory::IsLocal is_local = [](const std::uint32_t*) { return true; };
  std::shared_ptr<int> launches = std::make_shared<int>();  ///< those that have not ended share it
};
using Stream = EmulatedStream*;
using Event = void*;

class Context {
 public:
  bool is_alive() const { return true; }
};

class CurrentContext {
 public:
  explicit CurrentContext(const Context&, bool = false) {}
  bool check(Error&) const { return true; }
};

class KernelLauncher {
 public:
  Status launch(const void* kernel, dim3 blocks, dim3 threads, const void* arguments, std::size_t bytes,
                Stream stream) noexcept {
    const auto* begin = static_cast<const std::byte*>(arguments);
    // Kernels take their arguments from where they are kept, and do not look at their parameter.
    const auto function = reinterpret_cast<void (*)()>(const_cast<void*>(kernel));
    device::emulated_gpus.launch({.blocks = blocks.x,
                                  .threads = threads.x,
                                  .wave_lanes = stream->wave_lanes,
                                  .kernel = [function, shared = stream->launches] { function(); },
                                  .arguments = {begin, begin + bytes},
                                  .has_room = stream->has_room,
                                  .is_local = stream->is_local});
    return success;
  }
  void close() noexcept {}
};

/// By the copy engine, at once. What lanes do next sees it.
inline Status copy(void* to, const void* from, std::size_t bytes, Stream) {
  device::emulated_gpus.note_change();
  std::memcpy(to, from, bytes);
  return success;
}
inline Status query(Stream stream) { return stream->launches.use_count() > 1 ? not_ready : success; }
inline Status synchronize(Stream stream) {
  for (int i = 0; i < 10; ++i) device::emulated_gpus.go_on();
  while (query(stream) == not_ready && device::emulated_gpus.go_on()) continue;
  return query(stream);
}

}  // namespace airamp::gpu::platform
