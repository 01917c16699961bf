// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Kernels as applications have them. Launches are asynchronous; errors are CUDA's last error.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>

namespace airamp::gpu_tests {

using Microseconds = std::chrono::duration<double, std::micro>;

/// Loads all of them on the current device, so that no later launch has to.
void load_kernels();

/// Takes every place for a thread on the current device until the host has written another number than 0 to *stop
/// (mapped host memory; nullptr: never), but no longer than `longest`.
void launch_occupation(const int* stop, Microseconds longest, cudaStream_t stream);

/// A kernel of so many waves, each of which takes every place for a thread for that time.
void launch_waves(int waves, Microseconds each, cudaStream_t stream);

/// One thread that is busy for that time.
void launch_delay(Microseconds time, cudaStream_t stream);

/// Arithmetic on every multiprocessor, bound by nothing else. `unused`: a float in device memory.
void launch_arithmetic(float* unused, cudaStream_t stream);

/// data[i] = value
void launch_fill(float* data, std::size_t count, float value, cudaStream_t stream);

}  // namespace airamp::gpu_tests
