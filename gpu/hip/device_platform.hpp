// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// HIP's side of gpu/device/platform.hpp.
//
// WAVES. Where a wave has 64 lanes it is two warps, which go through the device code in step: two channels whose takes
// wait for each other, because `any` asks the whole wave. Nobody is kept waiting for ever by that: in every iteration
// of a walk both halves take before either of them pushes, and what is taken in iteration j is pushed by iterations
// before j, so a wave needs of other waves only iterations before its own. Where GPUs are alike, both halves of a wave
// are channels of the same two numbers on all ranks, and a wave needs no waves but its peers; where they are not, the
// other half may be another channel at the reader. So what depends on a row's data - whether a record comes with it -
// is decided by its warp alone. Shuffles and ballots stay within a half. Where the halves part at a branch, one of them
// goes on alone until they meet again: it must not wait for the other.
//
// MEMORY. Regions are fine-grained or uncached memory, which system-scope atomics of other devices reach.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "gpu/device/vector.hpp"

#define AIRAMP_DEVICE __device__ __forceinline__
#define AIRAMP_DEVICE_OUT_OF_LINE __device__ __noinline__
#define AIRAMP_KERNEL(threads) __global__ void __launch_bounds__(threads)
#define AIRAMP_ARGUMENTS const
#define AIRAMP_SHARED(Type, name) __shared__ Type name
#define AIRAMP_UNROLL _Pragma("unroll")
#define AIRAMP_PRAGMA(text) _Pragma(#text)
#define AIRAMP_UNROLL_BY(count) AIRAMP_PRAGMA(unroll count)  // a constant expression

/// There are conversion instructions on gfx940 and later alone, and not all of them saturate.
#define AIRAMP_HARDWARE_FP8 0

namespace airamp::gpu::device {

AIRAMP_DEVICE int lane_index() { return static_cast<int>(threadIdx.x & 31u); }
AIRAMP_DEVICE unsigned warp_in_block() { return threadIdx.x >> 5; }

/// A kernel's only argument, where the launch has put it. The parameter is a copy of it, which the compiler may leave
/// in the lane's own memory if its arrays are indexed at run time.
template <class Arguments>
AIRAMP_DEVICE const Arguments& in_place(const Arguments&) {
  return *(const Arguments*)__builtin_amdgcn_kernarg_segment_ptr();
}

/// The value, unknown to the compiler: what is computed from it is computed anew each time, where it would be kept in a
/// register of its own all through a loop. For values of a warp: as two of them are in a wave, they are in the lanes'
/// registers, of which the largest walks have none left.
AIRAMP_DEVICE std::uint32_t anew(std::uint32_t value) {
  asm volatile("" : "+v"(value));
  return value;
}

AIRAMP_DEVICE unsigned warps_of_wave() { return static_cast<unsigned>(warpSize) / 32; }

/// Where an iteration begins, the warps of a wave are in step again: the compiler sees to it.
AIRAMP_DEVICE void in_step() {}

/// Of the whole wave: see above. For loops that wait.
AIRAMP_DEVICE bool any(bool predicate) { return __any(predicate ? 1 : 0) != 0; }
AIRAMP_DEVICE std::uint32_t ballot(bool predicate) {
  return static_cast<std::uint32_t>(__ballot(predicate ? 1 : 0) >> (__lane_id() & 32u));
}
/// Of the warp alone. For decisions about its data, which the other half of the wave has no part in.
AIRAMP_DEVICE bool any_in_warp(bool predicate) { return ballot(predicate) != 0; }
AIRAMP_DEVICE std::uint32_t shuffle(std::uint32_t value, int lane) { return __shfl(value, lane, 32); }
AIRAMP_DEVICE std::uint32_t shuffle_xor(std::uint32_t value, int mask) { return __shfl_xor(value, mask, 32); }
AIRAMP_DEVICE std::uint32_t shuffle_down(std::uint32_t value, int lanes) {
  return __shfl_down(value, static_cast<unsigned>(lanes), 32);
}

/// The greatest of the warp's lanes' values.
AIRAMP_DEVICE std::uint32_t maximum_in_warp(std::uint32_t value) {
  AIRAMP_UNROLL
  for (int mask = 16; mask > 0; mask /= 2) {
    const std::uint32_t other = shuffle_xor(value, mask);
    value = other > value ? other : value;
  }
  return value;
}

AIRAMP_DEVICE int count_bits(std::uint32_t value) { return __popc(value); }

/// Maxima of the two 16-bit halves.
AIRAMP_DEVICE std::uint32_t maximum_of_halves(std::uint32_t a, std::uint32_t b) {
  using Halves = std::uint16_t __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(std::uint32_t,
                            __builtin_elementwise_max(__builtin_bit_cast(Halves, a), __builtin_bit_cast(Halves, b)));
}

AIRAMP_DEVICE float float_of_bits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
AIRAMP_DEVICE std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }
AIRAMP_DEVICE std::uint64_t bits_of(double value) { return __builtin_bit_cast(std::uint64_t, value); }
AIRAMP_DEVICE double double_of_bits(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

// ---- memory. What ranks share is accessed by relaxed operations of system scope, 64 bits each, `wide` or not,
// or 32.

/// The address of an object that is known to be neither in a block's nor in a lane's own memory.
#define AIRAMP_GLOBAL __attribute__((address_space(1)))

/// Elements of the application, which are read once.
AIRAMP_DEVICE Vector load_input(const Vector* from) {
  using Words = std::uint32_t __attribute__((ext_vector_type(4)));
  return __builtin_bit_cast(Vector, __builtin_nontemporal_load((const AIRAMP_GLOBAL Words*)from));
}

/// Results for the application, in one store of 16 bytes.
AIRAMP_DEVICE void store_output(Vector* to, Vector v) {
  using Words = std::uint32_t __attribute__((ext_vector_type(4)));
  *(AIRAMP_GLOBAL Words*)to = __builtin_bit_cast(Words, v);
}

AIRAMP_DEVICE HalfVector load_input(const HalfVector* from) {
  using Words = std::uint32_t __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(HalfVector, __builtin_nontemporal_load((const AIRAMP_GLOBAL Words*)from));
}

AIRAMP_DEVICE void store_output(HalfVector* to, HalfVector v) {
  using Words = std::uint32_t __attribute__((ext_vector_type(2)));
  *(AIRAMP_GLOBAL Words*)to = __builtin_bit_cast(Words, v);
}

template <bool wide>
AIRAMP_DEVICE Vector load_wire(const Vector* from) {
  const auto* halves = (const AIRAMP_GLOBAL std::uint64_t*)from;
  const std::uint64_t low = __hip_atomic_load(halves, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  const std::uint64_t high = __hip_atomic_load(halves + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  return {{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high),
           static_cast<std::uint32_t>(high >> 32)}};
}

template <bool wide>
AIRAMP_DEVICE void store_wire(Vector* to, Vector v) {
  auto* halves = (AIRAMP_GLOBAL std::uint64_t*)to;
  const std::uint64_t low = v.word[0] | static_cast<std::uint64_t>(v.word[1]) << 32;
  const std::uint64_t high = v.word[2] | static_cast<std::uint64_t>(v.word[3]) << 32;
  __hip_atomic_store(halves, low, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_store(halves + 1, high, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

AIRAMP_DEVICE std::uint32_t load_wire_word(const std::uint32_t* from) {
  return __hip_atomic_load((const AIRAMP_GLOBAL std::uint32_t*)from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

AIRAMP_DEVICE std::uint64_t load_wire_pair(const std::uint32_t* from) {
  return __hip_atomic_load((const AIRAMP_GLOBAL std::uint64_t*)from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

AIRAMP_DEVICE void store_wire_word(std::uint32_t* to, std::uint32_t word) {
  __hip_atomic_store((AIRAMP_GLOBAL std::uint32_t*)to, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

#undef AIRAMP_GLOBAL

AIRAMP_DEVICE void system_fence() { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, ""); }

/// Orders stores before it before loads after it as well, which costs more.
AIRAMP_DEVICE void store_load_fence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

/// Orders all that the lanes of the warp have done before all that any of them does afterwards, for all ranks. A wave
/// executes it once for all of its lanes.
AIRAMP_DEVICE void warp_system_fence() {
  __builtin_amdgcn_wave_barrier();
  system_fence();
  __builtin_amdgcn_wave_barrier();
}

AIRAMP_DEVICE void block_barrier() { __syncthreads(); }

/// A word in the block's shared memory by which its warps talk, not ordered with anything else. Atomic operations,
/// which compute-sanitizer knows for what they are, where it takes volatile ones for races.
AIRAMP_DEVICE std::uint32_t read_shared(std::uint32_t* word) { return atomicOr(word, 0u); }
AIRAMP_DEVICE void write_shared(std::uint32_t* word, std::uint32_t value) { atomicExch(word, value); }

/// Adds and gives the value before: acquire and release of system scope.
AIRAMP_DEVICE std::uint32_t count_up(std::uint32_t* counter, std::uint32_t by) {
  return __hip_atomic_fetch_add(counter, by, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
}

/// Adds 1 and gives the value before. Orders nothing.
AIRAMP_DEVICE std::uint64_t count_relaxed(std::uint64_t* counter) {
  return __hip_atomic_fetch_add(counter, std::uint64_t{1}, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/// Adds 1. Orders nothing, and nobody waits for it.
AIRAMP_DEVICE void count_only(std::uint32_t* counter) {
  static_cast<void>(__hip_atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT));
}

AIRAMP_DEVICE void store_release(std::uint32_t* to, std::uint32_t value) {
  __hip_atomic_store(to, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

/// Behind what was stored to the GPU's own memory; whether less would do is not measured here.
AIRAMP_DEVICE void store_release_local(std::uint32_t* to, std::uint32_t value) { store_release(to, value); }

// ---- conversions. All of them round to nearest even and keep subnormal numbers.

/// Two binary16 numbers in one word; exact.
AIRAMP_DEVICE void float16_to_float(std::uint32_t pair, float& low, float& high) {
  low = static_cast<float>(__builtin_bit_cast(_Float16, static_cast<std::uint16_t>(pair)));
  high = static_cast<float>(__builtin_bit_cast(_Float16, static_cast<std::uint16_t>(pair >> 16)));
}

AIRAMP_DEVICE std::uint32_t float_to_float16(float low, float high) {
  return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(low)) |
         static_cast<std::uint32_t>(__builtin_bit_cast(std::uint16_t, static_cast<_Float16>(high))) << 16;
}

AIRAMP_DEVICE std::uint32_t float_to_bfloat16(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded;
}

AIRAMP_DEVICE std::uint32_t float_to_bfloat16(float low, float high) {
  return float_to_bfloat16(low) | float_to_bfloat16(high) << 16;
}

}  // namespace airamp::gpu::device
