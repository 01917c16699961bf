// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// CUDA's side of gpu/device/platform.hpp.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "gpu/device/vector.hpp"

#define AIRAMP_DEVICE __device__ __forceinline__
#define AIRAMP_DEVICE_OUT_OF_LINE __device__ __noinline__
#define AIRAMP_KERNEL(threads) __global__ void __launch_bounds__(threads, 1)
#define AIRAMP_ARGUMENTS const __grid_constant__
#define AIRAMP_SHARED(Type, name) __shared__ Type name
#define AIRAMP_UNROLL _Pragma("unroll")
#define AIRAMP_PRAGMA(text) _Pragma(#text)
#define AIRAMP_UNROLL_BY(count) AIRAMP_PRAGMA(unroll count)  // a constant expression

/// Conversion instructions for 8-bit floats: from compute capability 8.9 on. AIRAMP_SOFTWARE_FP8 does without them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890 && !defined(AIRAMP_SOFTWARE_FP8)
#define AIRAMP_HARDWARE_FP8 1
#else
#define AIRAMP_HARDWARE_FP8 0
#endif

namespace airamp::gpu::device {

inline constexpr std::uint32_t whole_warp = 0xffffffffu;

AIRAMP_DEVICE int lane_index() { return static_cast<int>(threadIdx.x & 31u); }
AIRAMP_DEVICE unsigned warp_in_block() { return threadIdx.x >> 5; }

/// A kernel's only argument, where the launch has put it: __grid_constant__ sees to that.
template <class Arguments>
AIRAMP_DEVICE const Arguments& in_place(const Arguments& arguments) {
  return arguments;
}

/// For HIP; here the compiler decides well what to keep.
AIRAMP_DEVICE std::uint32_t anew(std::uint32_t value) { return value; }

AIRAMP_DEVICE unsigned warps_of_wave() { return 1; }
/// For waves of two warps.
AIRAMP_DEVICE void in_step() {}

AIRAMP_DEVICE bool any(bool predicate) { return __any_sync(whole_warp, predicate); }
AIRAMP_DEVICE bool any_in_warp(bool predicate) { return any(predicate); }
AIRAMP_DEVICE std::uint32_t ballot(bool predicate) { return __ballot_sync(whole_warp, predicate); }
AIRAMP_DEVICE std::uint32_t shuffle(std::uint32_t value, int lane) { return __shfl_sync(whole_warp, value, lane); }
AIRAMP_DEVICE std::uint32_t shuffle_xor(std::uint32_t value, int mask) {
  return __shfl_xor_sync(whole_warp, value, mask);
}
AIRAMP_DEVICE std::uint32_t shuffle_down(std::uint32_t value, int lanes) {
  return __shfl_down_sync(whole_warp, value, lanes);
}

/// The greatest of the lanes' values.
AIRAMP_DEVICE std::uint32_t maximum_in_warp(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(whole_warp, value);
#else
  for (int mask = 16; mask > 0; mask /= 2) {
    const std::uint32_t other = shuffle_xor(value, mask);
    value = other > value ? other : value;
  }
  return value;
#endif
}

AIRAMP_DEVICE int count_bits(std::uint32_t value) { return __popc(value); }

/// Maxima of the two 16-bit halves.
AIRAMP_DEVICE std::uint32_t maximum_of_halves(std::uint32_t a, std::uint32_t b) { return __vmaxu2(a, b); }

AIRAMP_DEVICE float float_of_bits(std::uint32_t bits) { return __uint_as_float(bits); }
AIRAMP_DEVICE std::uint32_t bits_of(float value) { return __float_as_uint(value); }
AIRAMP_DEVICE std::uint64_t bits_of(double value) { return static_cast<std::uint64_t>(__double_as_longlong(value)); }
AIRAMP_DEVICE double double_of_bits(std::uint64_t bits) { return __longlong_as_double(static_cast<long long>(bits)); }

// ---- memory. What ranks share is accessed by relaxed operations of system scope, 32 bits each; `wide`: 64 bits.

/// Elements of the application, which are read once.
AIRAMP_DEVICE Vector load_input(const Vector* from) {
  Vector v;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
               : "l"(from)
               : "memory");
  return v;
}

/// Results for the application. One store of 16 bytes: an assignment would become four of 4.
AIRAMP_DEVICE void store_output(Vector* to, Vector v) {
  asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(to), "r"(v.word[0]), "r"(v.word[1]), "r"(v.word[2]),
               "r"(v.word[3])
               : "memory");
}

AIRAMP_DEVICE HalfVector load_input(const HalfVector* from) {
  HalfVector v;
  asm volatile("ld.global.L1::no_allocate.v2.u32 {%0,%1}, [%2];"
               : "=r"(v.word[0]), "=r"(v.word[1])
               : "l"(from)
               : "memory");
  return v;
}

AIRAMP_DEVICE void store_output(HalfVector* to, HalfVector v) {
  asm volatile("st.global.v2.u32 [%0], {%1,%2};" ::"l"(to), "r"(v.word[0]), "r"(v.word[1]) : "memory");
}

template <bool wide>
AIRAMP_DEVICE Vector load_wire(const Vector* from) {
  Vector v;
  if constexpr (wide) {
    std::uint64_t low, high;
    asm volatile("ld.relaxed.sys.global.v2.u64 {%0,%1}, [%2];" : "=l"(low), "=l"(high) : "l"(from) : "memory");
    v.word[0] = static_cast<std::uint32_t>(low);
    v.word[1] = static_cast<std::uint32_t>(low >> 32);
    v.word[2] = static_cast<std::uint32_t>(high);
    v.word[3] = static_cast<std::uint32_t>(high >> 32);
  } else {
    asm volatile("ld.relaxed.sys.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "l"(from)
                 : "memory");
  }
  return v;
}

template <bool wide>
AIRAMP_DEVICE void store_wire(Vector* to, Vector v) {
  if constexpr (wide) {
    const std::uint64_t low = v.word[0] | static_cast<std::uint64_t>(v.word[1]) << 32;
    const std::uint64_t high = v.word[2] | static_cast<std::uint64_t>(v.word[3]) << 32;
    asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1,%2};" ::"l"(to), "l"(low), "l"(high) : "memory");
  } else {
    asm volatile("st.relaxed.sys.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(to), "r"(v.word[0]), "r"(v.word[1]),
                 "r"(v.word[2]), "r"(v.word[3])
                 : "memory");
  }
}

AIRAMP_DEVICE std::uint32_t load_wire_word(const std::uint32_t* from) {
  std::uint32_t word;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}

AIRAMP_DEVICE void store_wire_word(std::uint32_t* to, std::uint32_t word) {
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
}

AIRAMP_DEVICE std::uint64_t load_wire_pair(const std::uint32_t* from) {
  std::uint64_t pair;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(pair) : "l"(from) : "memory");
  return pair;
}

AIRAMP_DEVICE void system_fence() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

/// Orders stores before it before loads after it as well, which costs more.
AIRAMP_DEVICE void store_load_fence() { asm volatile("fence.sc.sys;" ::: "memory"); }

/// Orders all that the lanes of the warp have done before all that any of them does afterwards, for all ranks.
AIRAMP_DEVICE void warp_system_fence() {
  __syncwarp();
  system_fence();
  __syncwarp();
}

AIRAMP_DEVICE void block_barrier() { __syncthreads(); }

/// A word in the block's shared memory by which its warps talk, not ordered with anything else. Atomic operations,
/// which compute-sanitizer knows for what they are, where it takes volatile ones for races.
AIRAMP_DEVICE std::uint32_t read_shared(std::uint32_t* word) { return atomicOr(word, 0u); }
AIRAMP_DEVICE void write_shared(std::uint32_t* word, std::uint32_t value) { atomicExch(word, value); }

/// Adds and gives the value before: acquire and release of the GPU's scope.
AIRAMP_DEVICE std::uint32_t count_up(std::uint32_t* counter, std::uint32_t by) {
  std::uint32_t before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(by) : "memory");
  return before;
}

/// Adds 1 and gives the value before. Orders nothing.
AIRAMP_DEVICE std::uint64_t count_relaxed(std::uint64_t* counter) {
  std::uint64_t before;
  asm volatile("atom.add.relaxed.gpu.global.u64 %0, [%1], 1;" : "=l"(before) : "l"(counter) : "memory");
  return before;
}

/// Adds 1. Orders nothing, and nobody waits for it.
AIRAMP_DEVICE void count_only(std::uint32_t* counter) {
  asm volatile("red.add.relaxed.gpu.global.u32 [%0], 1;" ::"l"(counter) : "memory");
}

AIRAMP_DEVICE void store_release(std::uint32_t* to, std::uint32_t value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

/// Behind what was stored to the GPU's own memory.
AIRAMP_DEVICE void store_release_local(std::uint32_t* to, std::uint32_t value) {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  store_wire_word(to, value);
}

// ---- conversions. All of them round to nearest even and keep subnormal numbers.

/// Two binary16 numbers in one word; exact.
AIRAMP_DEVICE void float16_to_float(std::uint32_t pair, float& low, float& high) {
  const float2 both = __half22float2(*reinterpret_cast<const __half2*>(&pair));
  low = both.x;
  high = both.y;
}

AIRAMP_DEVICE std::uint32_t float_to_float16(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

AIRAMP_DEVICE std::uint32_t float_to_bfloat16(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

#if AIRAMP_HARDWARE_FP8
/// Two E4M3 or E5M2 codes in 16 bits. NaN becomes 0x7f; no magnitude exceeds the format's largest element.
AIRAMP_DEVICE std::uint32_t hardware_to_e4m3(float low, float high) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
  return pair;
}
AIRAMP_DEVICE std::uint32_t hardware_to_e5m2(float low, float high) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
  return pair;
}
/// Two E4M3 codes to two binary16 numbers; exact.
AIRAMP_DEVICE std::uint32_t hardware_from_e4m3(std::uint32_t codes) {
  std::uint32_t pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"(static_cast<unsigned short>(codes)));
  return pair;
}
#endif

}  // namespace airamp::gpu::device
