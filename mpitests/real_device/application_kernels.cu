// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "mpitests/real_device/application_kernels.hpp"
#include "mpitests/real_device/device.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr unsigned threads = 512;
constexpr int arithmetic_rounds = 1 << 20;

__device__ std::uint64_t nanoseconds_now() {
  std::uint64_t time = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}

__global__ void __launch_bounds__(threads) occupation(const volatile int* stop, std::uint64_t nanoseconds) {
  const std::uint64_t begin = nanoseconds_now();
  while (nanoseconds_now() - begin < nanoseconds && (stop == nullptr || *stop == 0)) __nanosleep(1000);
}

__global__ void delay(std::uint64_t nanoseconds) {
  const std::uint64_t begin = nanoseconds_now();
  while (nanoseconds_now() - begin < nanoseconds) {
  }
}

__global__ void arithmetic(float* unused) {
  float a = static_cast<float>(threadIdx.x);
  float c = 0.5F;
  for (int i = 0; i < arithmetic_rounds; ++i) {
    a = fmaf(a, 1.0001F, c);
    c = fmaf(c, 1.0001F, a);
  }
  // Never, but the compiler does not know.
  if (a == 12345.678F) *unused = c;
}

__global__ void fill(float* data, std::size_t count, float value) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = value;
  }
}

std::uint64_t in_nanoseconds(Microseconds time) { return static_cast<std::uint64_t>(time.count() * 1e3); }

unsigned multiprocessors() {
  int device = 0;
  int count = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return static_cast<unsigned>(count);
}

// Blocks of occupation() that the device has room for at once.
unsigned places() {
  int blocks = 0;
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, occupation, threads, 0), "cudaOccupancy...");
  return static_cast<unsigned>(blocks) * multiprocessors();
}

}  // namespace

void load_kernels() {
  cudaFuncAttributes attributes{};
  require(cudaFuncGetAttributes(&attributes, occupation), "cudaFuncGetAttributes");
  require(cudaFuncGetAttributes(&attributes, delay), "cudaFuncGetAttributes");
  require(cudaFuncGetAttributes(&attributes, arithmetic), "cudaFuncGetAttributes");
  require(cudaFuncGetAttributes(&attributes, fill), "cudaFuncGetAttributes");
}

void launch_occupation(const int* stop, Microseconds longest, cudaStream_t stream) {
  occupation<<<places(), threads, 0, stream>>>(stop, in_nanoseconds(longest));
}

void launch_waves(int waves, Microseconds each, cudaStream_t stream) {
  occupation<<<static_cast<unsigned>(waves) * places(), threads, 0, stream>>>(nullptr, in_nanoseconds(each));
}

void launch_delay(Microseconds time, cudaStream_t stream) { delay<<<1, 1, 0, stream>>>(in_nanoseconds(time)); }

void launch_arithmetic(float* unused, cudaStream_t stream) {
  arithmetic<<<8 * multiprocessors(), 256, 0, stream>>>(unused);
}

void launch_fill(float* data, std::size_t count, float value, cudaStream_t stream) {
  fill<<<256, 256, 0, stream>>>(data, count, value);
}

}  // namespace airamp::gpu_tests
