// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// As much of the CUDA runtime's interface as the programs of mpitests/real_device use, over the fake GPU.
#pragma once

#include <cstddef>

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's.
enum cudaError_t : int { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind : int { cudaMemcpyDefault = 4 };
using cudaStream_t = struct CUstream_st*;
inline constexpr unsigned cudaHostAllocDefault = 0;
inline constexpr unsigned cudaMemAttachGlobal = 1;

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceSynchronize();
const char* cudaGetErrorString(cudaError_t error);

cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags);
cudaError_t cudaFree(void* memory);
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream);
cudaError_t cudaFreeHost(void* memory);

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
// NOLINTEND(readability-identifier-naming)
