// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "gpu/backend.hpp"
#include "gpu/device/arguments.hpp"
#include "gpu/runtime/platform.hpp"

namespace airamp::gpu {

/// The plugin's part of gpu/backend.hpp.
struct Device {
  platform::Context context;
  int multiprocessors = 1;
  GpuIdentity identity;
};

/// Pinned host memory of a queue.
struct QueueWords {
  std::uint32_t flag;    ///< what the launch says (gpu/device/arguments.hpp)
  std::uint32_t one;     ///< is copied to the GPU, as are the next three
  std::uint32_t number;  ///< of the launch that runs
  device::LaunchState idle;
  device::LaunchStates states;
  device::LaunchState snapshot;  ///< is copied from the GPU

  std::uint32_t said() const noexcept {
    return std::atomic_ref<std::uint32_t>(const_cast<std::uint32_t&>(flag)).load(std::memory_order_acquire);
  }
  void say(std::uint32_t word) noexcept { std::atomic_ref<std::uint32_t>(flag).store(word, std::memory_order_release); }
};

/// A stream, and how its launches tell that they are done. The members belong to the queue's user alone.
struct Queue {
  Device* device = nullptr;
  platform::Stream stream = nullptr;
  platform::Stream control = nullptr;   ///< for copies while a launch runs
  platform::Stream follower = nullptr;  ///< of the application's default stream; empty but for its events
  platform::Event ordered_after = nullptr;
  bool ordered = false;                          ///< the next launch, after the application's default stream
  device::LaunchState* state = nullptr;          ///< device memory; of a peer queue, its place
  const device::LaunchStates* states = nullptr;  ///< of a peer queue; device memory behind the state
  std::uint32_t finished = 0;                    ///< as in the state, while no launch runs
  QueueWords* words = nullptr;
  platform::KernelLauncher launcher;
  std::uint64_t asked_nanoseconds = 0;  ///< when the stream was last asked, or the launch made
  Ccl* ccl = nullptr;                   ///< whose collective runs; nullptr: none, or a kernel of ours
  std::uint32_t blocks = 0;             ///< of the latest launch
  bool is_counted = true;               ///< in `finished`; or it is none of a collective

  // of a launch that was called off
  bool called_off = false;
  bool dismissed = false;
  std::uint32_t begun = 0;  ///< blocks that had begun by then; no other will
};

namespace runtime {

Device* open_device(const Location& location, Error& error) noexcept;
bool load_compression(Device* device, WireFormat format, Error& error) noexcept;
void close_device(Device* device) noexcept;
inline int multiprocessors(const Device* device) noexcept { return device->multiprocessors; }
inline GpuIdentity identity(const Device* device) noexcept { return device->identity; }
inline bool is_alive(const Device* device) noexcept { return device->context.is_alive(); }
Progress default_stream(Device* device, Error& error) noexcept;
/// Makes memory of the GPU all holes by copies, which need no room beside kernels that fill it. In the current context.
bool fill_with_holes(std::byte* memory, std::size_t bytes, platform::Stream stream, Error& error) noexcept;

std::byte* allocate(Device* device, std::size_t bytes, ExportedMemory& name, Error& error) noexcept;
void free_memory(Device* device, std::byte* memory) noexcept;
std::byte* map(Device* device, const ExportedMemory& name, Error& error) noexcept;
void unmap(Device* device, std::byte* memory) noexcept;
std::byte* allocate_host(Device* device, std::size_t bytes, Error& error) noexcept;
void free_host(Device* device, std::byte* memory) noexcept;

Queue* open_queue(Device* device, Error& error) noexcept;
Queue* open_peer_queue(Device* device, const LaunchStatePlaces& places, Error& error) noexcept;
bool order(Queue* queue, Error& error) noexcept;
bool order_if_nobody_has(Queue* queue, Error& error) noexcept;
inline void leave_unordered(Queue* queue) noexcept { queue->ordered = true; }
Queue* open_ghost_queue(Device* device, Error& error) noexcept;
void close_queue(Queue* queue) noexcept;
bool copy(Queue* queue, void* to, const void* from, std::size_t bytes, Error& error) noexcept;
bool copy_rows(Queue* queue, void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
               Error& error) noexcept;
Progress progress(Queue* queue, Error& error) noexcept;

}  // namespace runtime
}  // namespace airamp::gpu
