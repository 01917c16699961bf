// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The kernels. Each is launched with blocks of whole warps, at most as many as its limit says, and ends by `complete`.
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/broadcast_walk.hpp"
#include "gpu/device/completion.hpp"
#include "gpu/device/gather_walk.hpp"
#include "gpu/device/general_reduce_walk.hpp"
#include "gpu/device/kernel_limits.hpp"
#include "gpu/device/one_shot.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/reduce_walk.hpp"

namespace airamp::gpu::device {

/// The channels of a rank are spread over all blocks, so that few of them still use all multiprocessors.
AIRAMP_DEVICE std::uint32_t own_channel() { return warp_in_block() * gridDim.x + blockIdx.x; }

template <int ranks, class Codec>
AIRAMP_KERNEL(32 * reduce_warps(ranks))
reduce_kernel(AIRAMP_ARGUMENTS ReduceArguments a) {
  const std::uint32_t channel = own_channel();
  if (channel < a.ring.channels) {
    if constexpr (ranks == 0)
      GeneralReduceWalk<Codec>(a, channel).walk();
    else
      ReduceWalk<ranks, Codec>(a, channel).walk();
  }
  complete(a.completion);
}

template <int ranks, class Codec>
AIRAMP_KERNEL(32 * gather_warps(ranks))
gather_kernel(AIRAMP_ARGUMENTS GatherArguments a) {
  const std::uint32_t channel = own_channel();
  if (channel < a.ring.channels) GatherWalk<ranks, Codec>(a, channel).walk();
  complete(a.completion);
}

template <int ranks, class Codec>
AIRAMP_KERNEL(32 * general_warps)
broadcast_kernel(AIRAMP_ARGUMENTS BroadcastArguments a) {
  const std::uint32_t channel = own_channel();
  if (channel < a.ring.channels) BroadcastWalk<ranks, Codec>(a, channel).walk();
  complete(a.completion);
}

template <class Codec>
AIRAMP_KERNEL(32 * one_shot_warps)
one_shot_kernel(AIRAMP_ARGUMENTS OneShotArguments a) {
  const std::uint32_t row = blockIdx.x * (blockDim.x / 32) + warp_in_block();
  if (row < a.rows) one_shot_row<Codec>(a, row);
  complete(a.completion);
}

template <class Codec>
AIRAMP_KERNEL(32 * codec_warps)
encode_kernel(AIRAMP_ARGUMENTS CodecArguments a) {
  for (std::uint64_t row = own_channel(); row < a.rows; row += std::uint64_t{gridDim.x} * (blockDim.x / 32)) {
    Vector elements[Codec::vectors];
    load_tile<Codec, 1>(elements, a.input, row * Codec::row_elements, a.elements, a.aligned);
    store_output(reinterpret_cast<Vector*>(a.result) + row * 32 + lane_index(), Codec::encode(elements));
  }
  complete(a.completion);
}

template <class Codec>
AIRAMP_KERNEL(32 * codec_warps)
decode_kernel(AIRAMP_ARGUMENTS CodecArguments a) {
  for (std::uint64_t row = own_channel(); row < a.rows; row += std::uint64_t{gridDim.x} * (blockDim.x / 32)) {
    Vector elements[Codec::vectors];
    Codec::decode(reinterpret_cast<const Vector*>(a.wire[0])[row * 32 + lane_index()], elements);
    store_row<Codec>(elements, a.output, row * Codec::row_elements, a.elements, a.aligned);
  }
  complete(a.completion);
}

template <class Codec>
AIRAMP_KERNEL(32 * codec_warps)
reduce_wires_kernel(AIRAMP_ARGUMENTS CodecArguments a) {
  for (std::uint64_t row = own_channel(); row < a.rows; row += std::uint64_t{gridDim.x} * (blockDim.x / 32)) {
    const std::uint64_t at = row * 32 + lane_index();
    typename Codec::Accumulator accumulators[Codec::width];
    Codec::start(a.op, accumulators, reinterpret_cast<const Vector*>(a.wire[0])[at]);
    for (int i = 1; i < a.count; ++i) Codec::add(a.op, accumulators, reinterpret_cast<const Vector*>(a.wire[i])[at]);
    store_output(reinterpret_cast<Vector*>(a.result) + at, Codec::finish(accumulators));
  }
  complete(a.completion);
}

}  // namespace airamp::gpu::device
