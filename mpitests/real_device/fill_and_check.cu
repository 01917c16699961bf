// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "mpitests/real_device/fill_and_check.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr unsigned threads = 256;
constexpr std::size_t max_blocks = 1024;

// One of the numbers: SplitMix64's output function of all that names it.
__device__ long long number_at(const Numbers& numbers, int rank, std::size_t index) {
  std::uint64_t x = numbers.call * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(rank) * 0xd1b54a32d192ed03U + index;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  x ^= x >> 31U;
  return static_cast<long long>(x % (2 * numbers.largest + 1)) - numbers.largest;
}

template <typename T>
__device__ T from_number(long long number) {
  return static_cast<T>(number);
}
template <>
__device__ __half from_number<__half>(long long number) {
  return __float2half(static_cast<float>(number));
}
template <>
__device__ __nv_bfloat16 from_number<__nv_bfloat16>(long long number) {
  return __float2bfloat16(static_cast<float>(number));
}

template <typename T>
__device__ bool equals(T value, long long number) {
  return value == static_cast<T>(number);
}
template <>
__device__ bool equals<__half>(__half value, long long number) {
  return __half2float(value) == static_cast<float>(number);
}
template <>
__device__ bool equals<__nv_bfloat16>(__nv_bfloat16 value, long long number) {
  return __bfloat162float(value) == static_cast<float>(number);
}

template <typename T>
__global__ void fill_kernel(Numbers numbers, T* data, std::size_t begin, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = from_number<T>(number_at(numbers, numbers.rank, begin + i));
  }
}

template <typename T>
__global__ void check_kernel(Numbers numbers, const T* data, std::size_t begin, std::size_t count, Findings* findings) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    long long expected = 0;
    for (int rank = 0; rank < numbers.ranks; ++rank) expected += number_at(numbers, numbers.rank + rank, begin + i);
    if (equals(data[i], expected)) continue;
    atomicAdd(&findings->wrong_elements, 1ULL);
    atomicMin(&findings->first_wrong_call, static_cast<unsigned long long>(numbers.call));
  }
}

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>(std::min((count + threads - 1) / threads, max_blocks));
}

template <typename Function>
void for_format(Format format, Function function) {
  switch (format) {
    case Format::float16:
      return function(__half());
    case Format::bfloat16:
      return function(__nv_bfloat16());
    case Format::float32:
      return function(float());
    case Format::float64:
      return function(double());
    case Format::int32:
      return function(int());
    case Format::uint32:
      return function(unsigned());
    case Format::int64:
      return function(static_cast<long long>(0));
    case Format::uint64:
      return function(static_cast<unsigned long long>(0));
    case Format::byte:
      return function(static_cast<unsigned char>(0));
  }
}

}  // namespace

void fill(const Numbers& numbers, void* data, std::size_t begin, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  for_format(numbers.format, [&](auto element) {
    using T = decltype(element);
    fill_kernel<<<blocks_for(count), threads, 0, stream>>>(numbers, static_cast<T*>(data), begin, count);
  });
}

void check(const Numbers& numbers, const void* data, std::size_t begin, std::size_t count, Findings* findings,
           cudaStream_t stream) {
  if (count == 0) return;
  for_format(numbers.format, [&](auto element) {
    using T = decltype(element);
    check_kernel<<<blocks_for(count), threads, 0, stream>>>(numbers, static_cast<const T*>(data), begin, count,
                                                            findings);
  });
}

}  // namespace airamp::gpu_tests
