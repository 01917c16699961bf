// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace airamp::gpu::platform {

/// Launches kernels of one argument on a stream, each as a graph of one node: to launch a graph again costs a processor
/// about 1.0 us (1.3 us with other arguments), to launch a kernel 2.6 us. Works in the current context. Not
/// thread-safe.
class KernelLauncher {
 public:
  KernelLauncher() = default;
  KernelLauncher(const KernelLauncher&) = delete;
  KernelLauncher& operator=(const KernelLauncher&) = delete;
  ~KernelLauncher() = default;

  /// `arguments`: the kernel's only argument, of `bytes` bytes.
  cudaError_t launch(const void* kernel, dim3 blocks, dim3 threads, const void* arguments, std::size_t bytes,
                     cudaStream_t stream) noexcept;

  /// Gives the graphs back, in their context and while none of them runs.
  void close() noexcept;

 private:
  static constexpr std::size_t max_argument_bytes = 1024;

  struct Entry {
    const void* kernel = nullptr;
    dim3 blocks;
    dim3 threads;
    std::size_t bytes = 0;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t executable = nullptr;
    std::uint64_t used = 0;  ///< the last launch's number; 0: the entry is free
    std::array<std::byte, max_argument_bytes> arguments;
  };

  Entry* find(const cudaKernelNodeParams& launch, const void* arguments, std::size_t bytes) noexcept;
  /// The entry that makes room: a free one, or the one that was used longest ago.
  Entry& oldest() noexcept;
  static bool make(Entry& entry, const cudaKernelNodeParams& launch) noexcept;
  static bool update(Entry& entry, const cudaKernelNodeParams& launch) noexcept;
  static void discard(Entry& entry) noexcept;

  std::array<Entry, 16> entries_{};  ///< a time step has a few collectives, with buffers of their own
  std::uint64_t launches_ = 0;
};

}  // namespace airamp::gpu::platform
