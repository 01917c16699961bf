// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What gpu/device/platform.hpp includes where device code is tested without a GPU: kernels run on emulated GPUs, whose
// waves are one warp or two in step (emulated_wave.hpp).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "codec/element_conversion.hpp"
#include "gpu/device/vector.hpp"
#include "tests/gpu/device/emulated_gpus.hpp"

// All of a kernel is one function: its place in the code says how far a lane has come.
#define AIRAMP_DEVICE inline __attribute__((always_inline))
#define AIRAMP_DEVICE_OUT_OF_LINE __attribute__((always_inline))
#define AIRAMP_KERNEL(threads) inline void
#define AIRAMP_ARGUMENTS const
#define AIRAMP_SHARED(Type, name) Type& name = *new (emulated_gpus.block->shared_memory()) Type
#define AIRAMP_UNROLL
#define AIRAMP_UNROLL_BY(count)
#define AIRAMP_HARDWARE_FP8 0

// CUDA's and HIP's names.
#define threadIdx emulated_gpus.thread_index
#define blockIdx emulated_gpus.block_index
#define blockDim emulated_gpus.block_size
#define gridDim emulated_gpus.grid_size

namespace airamp::gpu::device {

/// Asks the other lanes, and goes on once they have answered.
[[gnu::noinline]] inline std::uint32_t ask_lanes(EmulatedLane::Question question, std::uint32_t value = 0,
                                                 std::uint32_t of = 0) {
  return emulated_gpus.lane->ask(question, __builtin_return_address(0), value, of);
}

inline EmulatedMemory::Writer this_writer() { return emulated_gpus.block->writer(*emulated_gpus.lane); }

AIRAMP_DEVICE int lane_index() { return static_cast<int>(threadIdx.x % warp_lanes); }
AIRAMP_DEVICE unsigned warp_in_block() { return threadIdx.x / warp_lanes; }

template <class Arguments>
AIRAMP_DEVICE const Arguments& in_place(const Arguments&) {
  return *reinterpret_cast<const Arguments*>(emulated_gpus.block->grid().arguments.data());
}

AIRAMP_DEVICE std::uint32_t anew(std::uint32_t value) { return value; }

AIRAMP_DEVICE unsigned warps_of_wave() { return emulated_gpus.block->grid().wave_lanes / warp_lanes; }
AIRAMP_DEVICE void in_step() { ask_lanes(EmulatedLane::Question::in_step); }

AIRAMP_DEVICE bool any(bool predicate) { return ask_lanes(EmulatedLane::Question::any, predicate) != 0; }
AIRAMP_DEVICE bool any_in_warp(bool predicate) {
  return ask_lanes(EmulatedLane::Question::any_in_warp, predicate) != 0;
}
AIRAMP_DEVICE std::uint32_t ballot(bool predicate) { return ask_lanes(EmulatedLane::Question::ballot, predicate); }
AIRAMP_DEVICE std::uint32_t shuffle(std::uint32_t value, int lane) {
  return ask_lanes(EmulatedLane::Question::shuffle, value, static_cast<std::uint32_t>(lane) % warp_lanes);
}
AIRAMP_DEVICE std::uint32_t shuffle_xor(std::uint32_t value, int mask) { return shuffle(value, lane_index() ^ mask); }
AIRAMP_DEVICE std::uint32_t shuffle_down(std::uint32_t value, int lanes) {
  const int from = lane_index() + lanes;
  return shuffle(value, from < static_cast<int>(warp_lanes) ? from : lane_index());
}

AIRAMP_DEVICE std::uint32_t maximum_in_warp(std::uint32_t value) {
  for (int mask = 16; mask > 0; mask /= 2) {
    const std::uint32_t other = shuffle_xor(value, mask);
    value = other > value ? other : value;
  }
  return value;
}

AIRAMP_DEVICE int count_bits(std::uint32_t value) { return std::popcount(value); }

AIRAMP_DEVICE std::uint32_t maximum_of_halves(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t low = (a & 0xffffu) > (b & 0xffffu) ? a & 0xffffu : b & 0xffffu;
  const std::uint32_t high = a >> 16 > b >> 16 ? a >> 16 : b >> 16;
  return low | high << 16;
}

AIRAMP_DEVICE float float_of_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
AIRAMP_DEVICE std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
AIRAMP_DEVICE std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }
AIRAMP_DEVICE double double_of_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

// ---- memory

/// Aligned, or the lane faults.
AIRAMP_DEVICE Vector load_input(const Vector* from) { return *std::assume_aligned<16>(from); }
AIRAMP_DEVICE void store_output(Vector* to, Vector v) { *std::assume_aligned<16>(to) = v; }

AIRAMP_DEVICE HalfVector load_input(const HalfVector* from) { return *std::assume_aligned<8>(from); }
AIRAMP_DEVICE void store_output(HalfVector* to, HalfVector v) { *std::assume_aligned<8>(to) = v; }

AIRAMP_DEVICE std::uint32_t load_wire_word(const std::uint32_t* from) {
  return emulated_gpus.memory.load(emulated_gpus.lane->number(), from);
}
AIRAMP_DEVICE std::uint64_t load_wire_pair(const std::uint32_t* from) {
  const std::uint64_t low = load_wire_word(from);
  return low | static_cast<std::uint64_t>(load_wire_word(from + 1)) << 32;
}
AIRAMP_DEVICE void store_wire_word(std::uint32_t* to, std::uint32_t word) {
  emulated_gpus.memory.store(this_writer(), {to, {word, 0}, 1});
}

template <bool wide>
AIRAMP_DEVICE Vector load_wire(const Vector* from) {
  Vector v;
  for (int i = 0; i < 4; ++i) v.word[i] = load_wire_word(from->word + i);
  return v;
}

template <bool wide>
AIRAMP_DEVICE void store_wire(Vector* to, Vector v) {
  constexpr int together = wide ? 2 : 1;
  for (int i = 0; i < 4; i += together)
    emulated_gpus.memory.store(this_writer(), {to->word + i, {v.word[i], v.word[(i + 1) % 4]}, together});
}

AIRAMP_DEVICE void system_fence() { emulated_gpus.memory.fence(this_writer()); }
AIRAMP_DEVICE void store_load_fence() { emulated_gpus.memory.deliver_all(); }

AIRAMP_DEVICE void warp_system_fence() {
  ask_lanes(EmulatedLane::Question::meet_in_warp);
  system_fence();
  ask_lanes(EmulatedLane::Question::meet_in_warp);
}

AIRAMP_DEVICE void block_barrier() { ask_lanes(EmulatedLane::Question::meet_in_block); }

AIRAMP_DEVICE std::uint32_t read_shared(std::uint32_t* word) { return *word; }
AIRAMP_DEVICE void write_shared(std::uint32_t* word, std::uint32_t value) {
  if (*word != value) emulated_gpus.note_change();
  *word = value;
}

template <class Integer>
AIRAMP_DEVICE Integer count(Integer* counter, Integer by) {
  emulated_gpus.note_change();
  const Integer before = *counter;
  *counter += by;
  return before;
}
AIRAMP_DEVICE void fence_on_gpu() {
  emulated_gpus.memory.fence_on_gpu(this_writer(), emulated_gpus.block->grid().is_local);
}
AIRAMP_DEVICE std::uint32_t count_up(std::uint32_t* counter, std::uint32_t by) {
  fence_on_gpu();
  return count(counter, by);
}
AIRAMP_DEVICE std::uint64_t count_relaxed(std::uint64_t* counter) { return count<std::uint64_t>(counter, 1); }
AIRAMP_DEVICE void count_only(std::uint32_t* counter) { count<std::uint32_t>(counter, 1); }

/// What the host is told arrives before all that was not made to arrive before it.
AIRAMP_DEVICE void tell_host(std::uint32_t* to, std::uint32_t value) {
  store_wire_word(to, value);
  static_cast<void>(load_wire_word(to));
  emulated_gpus.host_looks();
}
AIRAMP_DEVICE void store_release(std::uint32_t* to, std::uint32_t value) {
  system_fence();
  tell_host(to, value);
}
AIRAMP_DEVICE void store_release_local(std::uint32_t* to, std::uint32_t value) {
  fence_on_gpu();
  tell_host(to, value);
}

// ---- conversions

AIRAMP_DEVICE void float16_to_float(std::uint32_t pair, float& low, float& high) {
  low = codec::float_from_float16(static_cast<std::uint16_t>(pair));
  high = codec::float_from_float16(static_cast<std::uint16_t>(pair >> 16));
}
AIRAMP_DEVICE std::uint32_t float_to_float16(float low, float high) {
  return codec::float16_from_float(low) | static_cast<std::uint32_t>(codec::float16_from_float(high)) << 16;
}
AIRAMP_DEVICE std::uint32_t float_to_bfloat16(float low, float high) {
  return codec::bfloat16_from_float(low) | static_cast<std::uint32_t>(codec::bfloat16_from_float(high)) << 16;
}

}  // namespace airamp::gpu::device
