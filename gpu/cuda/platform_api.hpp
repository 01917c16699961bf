// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// CUDA's side of gpu/runtime/platform.hpp.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpu/cuda/context.hpp"
#include "gpu/cuda/kernel_launcher.hpp"

namespace airamp::gpu::platform {

inline constexpr const char* platform_name = "cuda";
/// The collective communication library.
inline constexpr const char* ccl_library = "libnccl.so.2";

using Status = cudaError_t;
using Stream = cudaStream_t;
using MemoryName = cudaIpcMemHandle_t;
inline constexpr Status success = cudaSuccess;
inline constexpr Status not_ready = cudaErrorNotReady;

inline const char* text_of(Status status) { return cudaGetErrorString(status); }
/// This library's own record of the last error; the application's runtime has another.
inline void forget_error() { cudaGetLastError(); }

inline Status load_kernel(const void* kernel) {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, kernel);
}
/// Of the current device.
inline Status count_multiprocessors(int& count) {
  int device = 0;
  const Status status = cudaGetDevice(&device);
  return status != cudaSuccess ? status : cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
}
/// Of the current device.
inline Status get_bus_id(char* text, int bytes) {
  int device = 0;
  const Status status = cudaGetDevice(&device);
  return status != cudaSuccess ? status : cudaDeviceGetPCIBusId(text, bytes, device);
}

/// Memory that kernels of several devices work on at the same time.
inline Status allocate_shared(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline Status allocate(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline Status free(void* memory) { return cudaFree(memory); }
inline Status export_memory(MemoryName& name, void* memory) { return cudaIpcGetMemHandle(&name, memory); }
inline Status map_memory(void** memory, const MemoryName& name) {
  return cudaIpcOpenMemHandle(memory, name, cudaIpcMemLazyEnablePeerAccess);
}
inline Status unmap_memory(void* memory) { return cudaIpcCloseMemHandle(memory); }

inline Status allocate_host(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
}
inline Status free_host(void* memory) { return cudaFreeHost(memory); }

/// Ordered after what the application has put into its default stream.
inline Status create_stream(Stream& stream) { return cudaStreamCreateWithFlags(&stream, cudaStreamDefault); }
inline Status create_independent_stream(Stream& stream) {
  return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
}
/// Lets the calling thread, one of ours, work while other threads capture graphs, without breaking those.
inline void allow_captures_elsewhere() {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
  static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode));
}
/// Independent, and of the lowest priority that the current device has.
inline Status create_background_stream(Stream& stream) {
  int lowest = 0;
  int highest = 0;
  const Status status = cudaDeviceGetStreamPriorityRange(&lowest, &highest);
  return status != cudaSuccess ? status : cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, lowest);
}
inline Status destroy_stream(Stream stream) { return cudaStreamDestroy(stream); }
inline Status synchronize(Stream stream) { return cudaStreamSynchronize(stream); }
/// success, not_ready or an error.
inline Status query(Stream stream) { return cudaStreamQuery(stream); }
inline Status fill(void* memory, int byte, std::size_t bytes, Stream stream) {
  return cudaMemsetAsync(memory, byte, bytes, stream);
}
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}

}  // namespace airamp::gpu::platform
