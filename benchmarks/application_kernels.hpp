// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Kernels as an application's, for benchmarks/ghost_kernels.cpp. Asynchronous; errors are CUDA's last error.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace airamp::gpu::test {

/// to[i] = 2 * from[i] + to[i]: bound by memory.
void launch_triad(float* to, const float* from, std::size_t elements, cudaStream_t stream);

/// `steps` dependent fused multiply-adds on each of `elements` numbers: bound by arithmetic.
void launch_arithmetic(float* data, std::size_t elements, int steps, cudaStream_t stream);

}  // namespace airamp::gpu::test
