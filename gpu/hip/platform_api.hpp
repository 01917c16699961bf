// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// HIP's side of gpu/runtime/platform.hpp.
#pragma once

#include <hip/hip_runtime.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "gpu/hip/context.hpp"

namespace airamp::gpu::platform {

inline constexpr const char* platform_name = "hip";
/// The collective communication library.
inline constexpr const char* ccl_library = "librccl.so.1";

using Status = hipError_t;
using Stream = hipStream_t;
using Event = hipEvent_t;
using MemoryName = hipIpcMemHandle_t;
inline constexpr Status success = hipSuccess;
inline constexpr Status not_ready = hipErrorNotReady;

inline const char* text_of(Status status) { return hipGetErrorString(status); }
/// CurrentContext sees to it: here it could be an error of the application's.
inline void forget_error() {}

inline Status load_kernel(const void* kernel) {
  hipFuncAttributes attributes;
  return hipFuncGetAttributes(&attributes, kernel);
}
/// Launches kernels of one argument.
class KernelLauncher {
 public:
  Status launch(const void* kernel, dim3 blocks, dim3 threads, const void* arguments, std::size_t /*bytes*/,
                Stream stream) noexcept {
    void* pointers[] = {const_cast<void*>(arguments)};
    return hipLaunchKernel(kernel, blocks, threads, pointers, 0, stream);
  }
  void close() noexcept {}
};
/// Of the current device.
inline Status count_multiprocessors(int& count) {
  int device = 0;
  const Status status = hipGetDevice(&device);
  return status != hipSuccess ? status : hipDeviceGetAttribute(&count, hipDeviceAttributeMultiprocessorCount, device);
}
/// Of the current device, or of the part of it that this process has: of its place on the bus.
inline Status get_identity(std::array<std::byte, 16>& bytes) {
  int device = 0;
  if (const Status status = hipGetDevice(&device); status != hipSuccess) return status;
  char text[32] = {};
  const Status status = hipDeviceGetPCIBusId(text, sizeof text, device);
  std::memcpy(bytes.data(), text, sizeof bytes);
  return status;
}
/// Of the current device.
inline Status get_bus_id(char* text, int bytes) {
  int device = 0;
  const Status status = hipGetDevice(&device);
  return status != hipSuccess ? status : hipDeviceGetPCIBusId(text, bytes, device);
}

/// Memory that kernels of several devices work on at the same time: no cache of one device may hold it back.
inline Status allocate_shared(void** memory, std::size_t bytes) {
#if HIP_VERSION_MAJOR >= 6
  return hipExtMallocWithFlags(memory, bytes, hipDeviceMallocUncached);
#else
  return hipExtMallocWithFlags(memory, bytes, hipDeviceMallocFinegrained);
#endif
}
inline Status allocate(void** memory, std::size_t bytes) { return hipMalloc(memory, bytes); }
inline Status free(void* memory) { return hipFree(memory); }
inline Status export_memory(MemoryName& name, void* memory) { return hipIpcGetMemHandle(&name, memory); }
inline Status map_memory(void** memory, const MemoryName& name) {
  return hipIpcOpenMemHandle(memory, name, hipIpcMemLazyEnablePeerAccess);
}
inline Status unmap_memory(void* memory) { return hipIpcCloseMemHandle(memory); }

/// Coherent: the host sees what a kernel writes while it runs.
inline Status allocate_host(void** memory, std::size_t bytes) {
  return hipHostMalloc(memory, bytes, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
}
inline Status free_host(void* memory) { return hipHostFree(memory); }

/// Ordered after no other, and of the highest priority that the current device has: the next block that finds room is
/// of this stream.
inline Status create_stream(Stream& stream) {
  int lowest = 0;
  int highest = 0;
  const Status status = hipDeviceGetStreamPriorityRange(&lowest, &highest);
  return status != hipSuccess ? status : hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, highest);
}
/// Likewise, of the lowest priority.
inline Status create_background_stream(Stream& stream) {
  int lowest = 0;
  int highest = 0;
  const Status status = hipDeviceGetStreamPriorityRange(&lowest, &highest);
  return status != hipSuccess ? status : hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, lowest);
}
/// Ordered after the application's default stream.
inline Status create_follower(Stream& stream) { return hipStreamCreateWithFlags(&stream, hipStreamDefault); }
inline Status create_event(Event& event) { return hipEventCreateWithFlags(&event, hipEventDisableTiming); }
inline Status destroy_event(Event event) { return hipEventDestroy(event); }
/// success, not_ready or an error.
inline Status query_default_stream() { return hipStreamQuery(nullptr); }
/// Of all that is in the default stream now. `follower` waits for that stream as any that was made with no flags does:
/// to touch the default stream itself would be to wait for all of these as well, and to end captures.
inline Status order_after_default_stream(Stream stream, Stream follower, Event event) {
  const Status status = hipEventRecord(event, follower);
  return status != hipSuccess ? status : hipStreamWaitEvent(stream, event, 0);
}
inline Status destroy_stream(Stream stream) { return hipStreamDestroy(stream); }
inline Status synchronize(Stream stream) { return hipStreamSynchronize(stream); }
/// success, not_ready or an error.
inline Status query(Stream stream) { return hipStreamQuery(stream); }
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, stream);
}
inline Status copy_rows(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
                        Stream stream) {
  return hipMemcpy2DAsync(to, stride, from, stride, bytes, rows, hipMemcpyDefault, stream);
}

}  // namespace airamp::gpu::platform
