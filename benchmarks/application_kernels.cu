// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/application_kernels.hpp"

namespace airamp::gpu::test {
namespace {

constexpr unsigned threads = 256;

unsigned blocks(std::size_t elements) { return static_cast<unsigned>((elements + threads - 1) / threads); }

__global__ void triad(float* to, const float* from, std::size_t elements) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < elements) to[i] += 2 * from[i];
}

__global__ void arithmetic(float* data, std::size_t elements, int steps) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  float value = data[i];
  for (int step = 0; step < steps; ++step) value = fmaf(value, 0.999f, 0.001f);
  data[i] = value;
}

}  // namespace

void launch_triad(float* to, const float* from, std::size_t elements, cudaStream_t stream) {
  triad<<<blocks(elements), threads, 0, stream>>>(to, from, elements);
}

void launch_arithmetic(float* data, std::size_t elements, int steps, cudaStream_t stream) {
  arithmetic<<<blocks(elements), threads, 0, stream>>>(data, elements, steps);
}

}  // namespace airamp::gpu::test
