// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::gpu {

/// Whose memory a pointer points to.
enum class Memory : std::uint8_t {
  host,     ///< the MPI library reads it like any other: pageable, pinned and registered host memory
  device,   ///< of a GPU, reachable by its kernels alone: cudaMalloc, cudaMallocAsync and mempools, VMM mappings
  managed,  ///< migrates between host and GPU: the MPI library reads it from the host
};

/// The GPU programming interfaces.
enum class Platform : std::uint8_t { none, cuda, hip };

/// Where a pointer lives. For host memory the other members are empty, and for managed memory of a GPU that the host
/// must leave alone while it works: otherwise kernels may use it like device memory.
struct Location {
  Memory memory = Memory::host;
  Platform platform = Platform::none;
  int device = -1;          ///< the driver's ordinal in this process
  void* context = nullptr;  ///< CUDA: the CUcontext to work in, its own or the active primary one; nullptr: none found
  bool operator==(const Location&) const = default;
};

/// Where `pointer` lives. Asks a GPU driver only if the application has loaded one: otherwise all memory is the
/// host's. Creates no context, changes no current device and leaves no error behind. nullptr and MPI's special values
/// are host memory. Thread-safe; a few ns for the process's own memory (own_memory.hpp), for other memory about 100 ns
/// where a driver is loaded and 25 ns where none is.
Location locate(const void* pointer) noexcept;

/// Whether one of two pointers points to device memory; cheaper than to locate both. Thread-safe.
bool either_on_device(const void* first, const void* second) noexcept;

/// Whether this host seems to have a GPU whose driver is installed. Looks at device files alone: loads nothing.
bool host_has_gpu() noexcept;

}  // namespace airamp::gpu
