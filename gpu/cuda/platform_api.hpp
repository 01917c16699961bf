// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// CUDA's side of gpu/runtime/platform.hpp.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "gpu/cuda/context.hpp"
#include "gpu/cuda/kernel_launcher.hpp"

namespace airamp::gpu::platform {

inline constexpr const char* platform_name = "cuda";
/// The collective communication library.
inline constexpr const char* ccl_library = "libnccl.so.2";

using Status = cudaError_t;
using Stream = cudaStream_t;
using Event = cudaEvent_t;
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
/// Of the current device, or of the part of it that this process has (MIG).
inline Status get_identity(std::array<std::byte, 16>& bytes) {
  int device = 0;
  if (const Status status = cudaGetDevice(&device); status != cudaSuccess) return status;
  cudaDeviceProp properties;
  if (const Status status = cudaGetDeviceProperties(&properties, device); status != cudaSuccess) return status;
  static_assert(sizeof properties.uuid == sizeof bytes);
  std::memcpy(bytes.data(), &properties.uuid, sizeof bytes);
  return cudaSuccess;
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

/// Ordered after no other, and of the highest priority that the current device has: the next block that finds room is
/// of this stream.
inline Status create_stream(Stream& stream) {
  int lowest = 0;
  int highest = 0;
  const Status status = cudaDeviceGetStreamPriorityRange(&lowest, &highest);
  return status != cudaSuccess ? status : cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest);
}
/// Likewise, of the lowest priority.
inline Status create_background_stream(Stream& stream) {
  int lowest = 0;
  int highest = 0;
  const Status status = cudaDeviceGetStreamPriorityRange(&lowest, &highest);
  return status != cudaSuccess ? status : cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, lowest);
}
/// Ordered after the application's default stream.
inline Status create_follower(Stream& stream) { return cudaStreamCreateWithFlags(&stream, cudaStreamDefault); }
inline Status create_event(Event& event) { return cudaEventCreateWithFlags(&event, cudaEventDisableTiming); }
inline Status destroy_event(Event event) { return cudaEventDestroy(event); }
/// Whether a blocking stream is being captured: the default stream must not be touched then, which would end the
/// capture.
inline bool default_stream_is_taken() {
  cudaStreamCaptureStatus capture;
  const bool taken = cudaStreamIsCapturing(cudaStreamLegacy, &capture) != cudaSuccess;
  if (taken) cudaGetLastError();
  return taken;
}
/// success, not_ready or an error.
inline Status query_default_stream() {
  return default_stream_is_taken() ? cudaSuccess : cudaStreamQuery(cudaStreamLegacy);
}
/// Of all that is in the default stream now. `follower` waits for that stream as any that was made with no flags does:
/// to touch the default stream itself would be to wait for all of these as well, and to end captures.
inline Status order_after_default_stream(Stream stream, Stream follower, Event event) {
  const Status status = cudaEventRecord(event, follower);
  return status != cudaSuccess ? status : cudaStreamWaitEvent(stream, event, 0);
}
inline Status destroy_stream(Stream stream) { return cudaStreamDestroy(stream); }
inline Status synchronize(Stream stream) { return cudaStreamSynchronize(stream); }
/// success, not_ready or an error.
inline Status query(Stream stream) { return cudaStreamQuery(stream); }
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
inline Status copy_rows(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
                        Stream stream) {
  return cudaMemcpy2DAsync(to, stride, from, stride, bytes, rows, cudaMemcpyDefault, stream);
}

}  // namespace airamp::gpu::platform
