// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernel_launcher.hpp"

#include <algorithm>
#include <cstring>

namespace airamp::gpu::platform {
namespace {

bool same(const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

cudaError_t KernelLauncher::launch(const void* kernel, dim3 blocks, dim3 threads, const void* arguments,
                                   std::size_t bytes, cudaStream_t stream) noexcept {
  void* pointers[] = {const_cast<void*>(arguments)};
  cudaKernelNodeParams launch{};
  launch.func = const_cast<void*>(kernel);
  launch.gridDim = blocks;
  launch.blockDim = threads;
  launch.kernelParams = pointers;
  const Entry* entry = bytes <= max_argument_bytes ? find(launch, arguments, bytes) : nullptr;
  if (entry != nullptr) return cudaGraphLaunch(entry->executable, stream);
  cudaGetLastError();  // what kept a graph from being made or changed
  return cudaLaunchKernel(kernel, blocks, threads, pointers, 0, stream);
}

KernelLauncher::Entry* KernelLauncher::find(const cudaKernelNodeParams& launch, const void* arguments,
                                            std::size_t bytes) noexcept {
  ++launches_;
  for (Entry& entry : entries_) {
    const bool repeats = entry.kernel == launch.func && same(entry.blocks, launch.gridDim) &&
                         same(entry.threads, launch.blockDim) && entry.bytes == bytes &&
                         std::memcmp(entry.arguments.data(), arguments, bytes) == 0;
    if (!repeats) continue;
    entry.used = launches_;
    return &entry;
  }
  Entry& entry = oldest();
  if (!(entry.used != 0 ? update(entry, launch) : make(entry, launch))) {
    discard(entry);
    return nullptr;
  }
  entry.kernel = launch.func;
  entry.blocks = launch.gridDim;
  entry.threads = launch.blockDim;
  entry.bytes = bytes;
  entry.used = launches_;
  std::memcpy(entry.arguments.data(), arguments, bytes);
  return &entry;
}

KernelLauncher::Entry& KernelLauncher::oldest() noexcept {
  return *std::min_element(entries_.begin(), entries_.end(),
                           [](const Entry& a, const Entry& b) { return a.used < b.used; });
}

bool KernelLauncher::make(Entry& entry, const cudaKernelNodeParams& launch) noexcept {
  return cudaGraphCreate(&entry.graph, 0) == cudaSuccess &&
         cudaGraphAddKernelNode(&entry.node, entry.graph, nullptr, 0, &launch) == cudaSuccess &&
         cudaGraphInstantiate(&entry.executable, entry.graph, 0) == cudaSuccess;
}

bool KernelLauncher::update(Entry& entry, const cudaKernelNodeParams& launch) noexcept {
  return cudaGraphExecKernelNodeSetParams(entry.executable, entry.node, &launch) == cudaSuccess;
}

void KernelLauncher::discard(Entry& entry) noexcept {
  if (entry.executable != nullptr) cudaGraphExecDestroy(entry.executable);
  if (entry.graph != nullptr) cudaGraphDestroy(entry.graph);
  entry = Entry{};
}

void KernelLauncher::close() noexcept {
  for (Entry& entry : entries_) discard(entry);
}

}  // namespace airamp::gpu::platform
