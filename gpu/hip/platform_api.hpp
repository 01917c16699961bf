// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// HIP's side of gpu/runtime/platform.hpp.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "gpu/hip/context.hpp"

namespace airamp::gpu::platform {

inline constexpr const char* platform_name = "hip";
/// The collective communication library.
inline constexpr const char* ccl_library = "librccl.so.1";

using Status = hipError_t;
using Stream = hipStream_t;
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

/// Ordered after what the application has put into its default stream.
inline Status create_stream(Stream& stream) { return hipStreamCreateWithFlags(&stream, hipStreamDefault); }
inline Status create_independent_stream(Stream& stream) {
  return hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
}
/// Lets the calling thread, one of ours, work while other threads capture graphs, without breaking those.
inline void allow_captures_elsewhere() {
  hipStreamCaptureMode mode = hipStreamCaptureModeThreadLocal;
  static_cast<void>(hipThreadExchangeStreamCaptureMode(&mode));
}
/// Independent, and of the lowest priority that the current device has.
inline Status create_background_stream(Stream& stream) {
  int lowest = 0;
  int highest = 0;
  const Status status = hipDeviceGetStreamPriorityRange(&lowest, &highest);
  return status != hipSuccess ? status : hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, lowest);
}
inline Status destroy_stream(Stream stream) { return hipStreamDestroy(stream); }
inline Status synchronize(Stream stream) { return hipStreamSynchronize(stream); }
/// success, not_ready or an error.
inline Status query(Stream stream) { return hipStreamQuery(stream); }
inline Status fill(void* memory, int byte, std::size_t bytes, Stream stream) {
  return hipMemsetAsync(memory, byte, bytes, stream);
}
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, stream);
}

}  // namespace airamp::gpu::platform
