// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gpu/device/lossless_codec.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::peer_limits {

using Float32 = device::FloatCodec<DataType::float32>;
using Vector = device::Vector;

constexpr int threads = 512;

/// Bulk copies from shared memory came with this compute capability.
constexpr int bulk_copies_since = 9;
#if defined(__CUDA_ARCH__)
constexpr bool has_bulk_copies = __CUDA_ARCH__ >= 100 * bulk_copies_since;
#else
constexpr bool has_bulk_copies = true;
#endif

/// Every rank's buffers, as all GPUs see them; `vectors` of 16 bytes each.
template <int ranks>
struct Buffers {
  const Vector* input[ranks];
  Vector* output[ranks];
  std::size_t vectors;
  int rank;
};

enum class Half { stores, loads };

/// Moves as much between the GPUs as either half of an allreduce.
template <int ranks, Half half>
__global__ void __launch_bounds__(threads) move(const __grid_constant__ Buffers<ranks> b) {
  const std::size_t share = b.vectors / ranks;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < share; i += step) {
    const std::size_t at = share * b.rank + i;
    if constexpr (half == Half::stores) {
      const Vector own = device::load_input(b.input[b.rank] + at);
#pragma unroll
      for (int d = 1; d < ranks; ++d) device::store_output(b.output[(b.rank + d) % ranks] + at, own);
    } else {
      Vector sum{};
#pragma unroll
      for (int d = 1; d < ranks; ++d) {
        const Vector theirs = device::load_input(b.input[(b.rank + d) % ranks] + at);
        for (int k = 0; k < 4; ++k) sum.word[k] ^= theirs.word[k];
      }
      device::store_output(b.output[b.rank] + at, sum);
    }
  }
}

/// As Half::stores, but to one peer after the other: no two GPUs store to the same one at a time.
template <int ranks>
__global__ void __launch_bounds__(threads) move_in_turn(const __grid_constant__ Buffers<ranks> b) {
  const std::size_t share = b.vectors / ranks;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (int d = 1; d < ranks; ++d) {
    Vector* const output = b.output[(b.rank + d) % ranks] + share * b.rank;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < share; i += step)
      device::store_output(output + i, device::load_input(b.input[b.rank] + share * b.rank + i));
  }
}

/// As Half::stores, but what a warp stores to one peer before it turns to the next are `run` times 512 bytes;
/// `wants_bulk`: by one bulk copy from shared memory.
template <int ranks, int run, bool wants_bulk>
__global__ void __launch_bounds__(threads) move_runs(const __grid_constant__ Buffers<ranks> b) {
  constexpr bool bulk = wants_bulk && has_bulk_copies;
  __shared__ alignas(128) Vector staging[bulk ? threads * run : 1];
  const std::size_t share = b.vectors / ranks;
  const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
  const std::size_t warp = static_cast<std::size_t>(threadIdx.x / 32) * gridDim.x + blockIdx.x;
  const unsigned lane = threadIdx.x % 32;
  Vector* const own = staging + (bulk ? threadIdx.x / 32 * 32 * run : 0);
  for (std::size_t tile = warp; tile * 32 * run < share; tile += warps) {
    const std::size_t at = share * b.rank + tile * 32 * run;
    Vector values[run];
#pragma unroll
    for (int u = 0; u < run; ++u) values[u] = device::load_input(b.input[b.rank] + at + 32 * u + lane);
    if constexpr (bulk) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      __syncwarp();
#pragma unroll
      for (int u = 0; u < run; ++u) own[32 * u + lane] = values[u];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncwarp();
      for (int d = 1; lane == 0 && d < ranks; ++d) {
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(b.output[(b.rank + d) % ranks] + at),
            "r"(static_cast<unsigned>(__cvta_generic_to_shared(own))), "n"(run * 512)
            : "memory");
      }
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    } else {
#pragma unroll
      for (int d = 1; d < ranks; ++d) {
#pragma unroll
        for (int u = 0; u < run; ++u)
          device::store_output(b.output[(b.rank + d) % ranks] + at + 32 * u + lane, values[u]);
      }
    }
  }
  if constexpr (bulk) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/// The allreduce in place. A lane reads all inputs of its vectors before it stores their sum.
template <int ranks>
__global__ void __launch_bounds__(threads) reduce_in_place(const __grid_constant__ Buffers<ranks> b) {
  constexpr int together = 2;
  const std::size_t share = b.vectors / ranks;
  const std::size_t warps = static_cast<std::size_t>(gridDim.x) * (blockDim.x / 32);
  const std::size_t warp = static_cast<std::size_t>(threadIdx.x / 32) * gridDim.x + blockIdx.x;
  for (std::size_t tile = warp; tile * 32 * together < share; tile += warps) {
    const std::size_t at = share * b.rank + tile * 32 * together + threadIdx.x % 32;
    Vector values[ranks][together];
#pragma unroll
    for (int d = 0; d < ranks; ++d) {
#pragma unroll
      for (int u = 0; u < together; ++u)
        values[d][u] = device::load_input(b.input[(b.rank + 1 + d) % ranks] + at + 32 * u);
    }
#pragma unroll
    for (int u = 0; u < together; ++u) {
      Float32::Accumulator sums[Float32::width];
#pragma unroll
      for (int r = 0; r < ranks; ++r) {
        Vector theirs{};
#pragma unroll
        for (int d = 0; d < ranks; ++d) {
          if ((b.rank + 1 + d) % ranks == r) theirs = values[d][u];
        }
        if (r == 0)
          Float32::start(ReduceOp::sum, sums, theirs);
        else
          Float32::add(ReduceOp::sum, sums, theirs);
      }
      const Vector sum = Float32::finish(sums);
#pragma unroll
      for (int d = 1; d <= ranks; ++d) device::store_output(b.output[(b.rank + d) % ranks] + at + 32 * u, sum);
    }
  }
}

__global__ void fill(float* data, std::size_t count, float value) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    data[i] = value;
}

__global__ void count_others(const float* data, std::size_t count, float value, unsigned long long* others) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    if (data[i] != value) atomicAdd(others, 1ULL);
}

}  // namespace airamp::gpu::peer_limits
