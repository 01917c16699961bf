// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <cstring>

#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace {

using airamp::fake_gpu::Kind;

cudaError_t allocate(void** memory, std::size_t bytes, Kind kind) {
  *memory = fake_gpu_allocate(bytes, kind);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t release(void* memory) {
  if (memory != nullptr) fake_gpu_free(memory);
  return cudaSuccess;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's.
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidValue; }

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

const char* cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : "the fake GPU failed"; }

cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return allocate(memory, bytes, Kind::device); }

cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t /*stream*/) {
  return allocate(memory, bytes, Kind::virtual_mapping);
}

cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned /*flags*/) {
  return allocate(memory, bytes, Kind::managed);
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned /*flags*/) {
  return allocate(memory, bytes, Kind::registered);
}

cudaError_t cudaFree(void* memory) { return release(memory); }

cudaError_t cudaFreeAsync(void* memory, cudaStream_t /*stream*/) { return release(memory); }

cudaError_t cudaFreeHost(void* memory) { return release(memory); }

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  if (bytes > 0) std::memset(fake_gpu_host_address(memory), value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/) {
  if (bytes > 0) std::memmove(fake_gpu_host_address(to), fake_gpu_host_address(from), bytes);  // of none, from anywhere
  return cudaSuccess;
}
// NOLINTEND(readability-identifier-naming)
