// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/backend.hpp"
#include "gpu/runtime/platform.hpp"

namespace airamp::gpu {

/// The plugin's part of gpu/backend.hpp.
struct Device {
  platform::Context context;
  int multiprocessors = 1;
};

/// A stream, and how its launches tell that they are done. The members belong to the queue's user alone.
struct Queue {
  Device* device = nullptr;
  platform::Stream stream = nullptr;
  std::uint32_t* finished_blocks = nullptr;  ///< device memory
  std::uint32_t* flag = nullptr;             ///< host memory
  platform::KernelLauncher launcher;
  std::uint64_t asked_nanoseconds = 0;  ///< when the stream was last asked, or the launch made
  Ccl* ccl = nullptr;                   ///< whose collective runs; nullptr: none, or a kernel of ours
};

namespace runtime {

Device* open_device(const Location& location, Error& error) noexcept;
void close_device(Device* device) noexcept;
inline int multiprocessors(const Device* device) noexcept { return device->multiprocessors; }

std::byte* allocate(Device* device, std::size_t bytes, ExportedMemory& name, Error& error) noexcept;
void free_memory(Device* device, std::byte* memory) noexcept;
std::byte* map(Device* device, const ExportedMemory& name, Error& error) noexcept;
void unmap(Device* device, std::byte* memory) noexcept;
std::byte* allocate_host(Device* device, std::size_t bytes, Error& error) noexcept;
void free_host(Device* device, std::byte* memory) noexcept;

Queue* open_queue(Device* device, Error& error) noexcept;
Queue* open_ghost_queue(Device* device, Error& error) noexcept;
void close_queue(Queue* queue) noexcept;
bool copy(Queue* queue, void* to, const void* from, std::size_t bytes, Error& error) noexcept;
Progress progress(Queue* queue, Error& error) noexcept;

}  // namespace runtime
}  // namespace airamp::gpu
