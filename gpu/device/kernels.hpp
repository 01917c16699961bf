// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The kernels. Each is launched with blocks of whole warps, at most as many as its limit says. Those of collectives
// start and end by a StartGate, and all of their blocks have room at once; the others end by `complete`.
#pragma once

#include <cstdint>

#include "gpu/device/alltoall_walk.hpp"
#include "gpu/device/arguments.hpp"
#include "gpu/device/broadcast_walk.hpp"
#include "gpu/device/completion.hpp"
#include "gpu/device/gather_walk.hpp"
#include "gpu/device/general_reduce_walk.hpp"
#include "gpu/device/kernel_limits.hpp"
#include "gpu/device/one_shot.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/prefix_walk.hpp"
#include "gpu/device/reduce_walk.hpp"
#include "gpu/device/start_gate.hpp"

namespace airamp::gpu::device {

/// The channels (or rows) of a rank are spread over all blocks, so that few of them still use all multiprocessors.
AIRAMP_DEVICE std::uint32_t own_channel() { return warp_in_block() * gridDim.x + blockIdx.x; }

/// The kernel of a collective over rings. `by_votes`: see StartGate. The first warp of a block always has a channel.
template <class Walk, class Arguments>
AIRAMP_DEVICE void run_walk(const Arguments& a, bool by_votes) {
  AIRAMP_SHARED(BlockStart, block);
  const StartGate gate(block, a.ring.region, a.ring.votes_offset, a.ring.size, a.ring.rank, by_votes, a.completion);
  const std::uint32_t channel = own_channel();
  if (channel < a.ring.channels && !Walk(a, channel).walk(gate)) gate.leave();
  gate.end();
}

template <int ranks, class Codec>
struct ReduceWalkOf {
  using Walk = ReduceWalk<ranks, Codec>;
};
template <class Codec>
struct ReduceWalkOf<0, Codec> {
  using Walk = GeneralReduceWalk<Codec>;
};

/// The result of a reduction mostly needs data of every rank.
template <int ranks, class Codec>
AIRAMP_KERNEL(32 * reduce_warps(ranks, Codec::row_elements))
reduce_kernel(AIRAMP_ARGUMENTS ReduceArguments a) {
  run_walk<typename ReduceWalkOf<ranks, Codec>::Walk>(in_place(a), gridDim.x > 1 || in_place(a).by_votes);
}

template <class Codec>
AIRAMP_KERNEL(32 * general_warps)
prefix_kernel(AIRAMP_ARGUMENTS PrefixArguments a) {
  run_walk<PrefixWalk<Codec>>(in_place(a), true);
}

template <int ranks, class Codec>
AIRAMP_KERNEL(32 * gather_warps(ranks))
gather_kernel(AIRAMP_ARGUMENTS GatherArguments a) {
  run_walk<GatherWalk<ranks, Codec>>(in_place(a), true);
}

template <int ranks, class Codec>
AIRAMP_KERNEL(32 * alltoall_warps(ranks))
alltoall_kernel(AIRAMP_ARGUMENTS AlltoallArguments a) {
  run_walk<AlltoallWalk<ranks, Codec>>(in_place(a), true);
}

template <int ranks, class Codec>
AIRAMP_KERNEL(32 * general_warps)
broadcast_kernel(AIRAMP_ARGUMENTS BroadcastArguments a) {
  run_walk<BroadcastWalk<ranks, Codec>>(in_place(a), true);
}

template <class Codec>
AIRAMP_KERNEL(32 * one_block_warps)
one_shot_kernel(AIRAMP_ARGUMENTS OneShotArguments arguments) {
  const OneShotArguments& a = in_place(arguments);
  AIRAMP_SHARED(BlockStart, block);
  const StartGate gate(block, a.region, a.votes_offset, a.size, a.rank, true, a.completion);
  if (!OneShot<0, Codec>{a, own_channel(), gridDim.x * (blockDim.x / 32)}.run(gate)) gate.leave();
  gate.end();
}

/// An allreduce of few rows, in a single block. `ranks` 0: any number.
template <int ranks, class Codec>
AIRAMP_KERNEL(32 * one_block_warps)
one_block_kernel(AIRAMP_ARGUMENTS OneShotArguments arguments) {
  const OneShotArguments& a = in_place(arguments);
  AIRAMP_SHARED(BlockStart, block);
  const StartGate gate(block, a.region, a.votes_offset, a.size, a.rank, false, a.completion);
  if (!OneShot<ranks, Codec>{a, warp_in_block(), blockDim.x / 32}.run(gate)) gate.leave();
  gate.end();
}

template <class Codec>
AIRAMP_KERNEL(32 * codec_warps)
encode_kernel(AIRAMP_ARGUMENTS CodecArguments arguments) {
  const CodecArguments& a = in_place(arguments);
  for (std::uint64_t row = own_channel(); row < a.rows; row += std::uint64_t{gridDim.x} * (blockDim.x / 32)) {
    Vector elements[Codec::vectors];
    load_tile<Codec, 1>(elements, a.input, row * Codec::row_elements, a.elements, a.aligned);
    store_output(reinterpret_cast<Vector*>(a.result) + row * 32 + lane_index(), Codec::encode(elements));
  }
  complete(a.completion);
}

template <class Codec>
AIRAMP_KERNEL(32 * codec_warps)
decode_kernel(AIRAMP_ARGUMENTS CodecArguments arguments) {
  const CodecArguments& a = in_place(arguments);
  for (std::uint64_t row = own_channel(); row < a.rows; row += std::uint64_t{gridDim.x} * (blockDim.x / 32)) {
    Vector elements[Codec::vectors];
    Codec::decode(reinterpret_cast<const Vector*>(a.wire[0])[row * 32 + lane_index()], elements);
    store_row<Codec>(elements, a.output, row * Codec::row_elements, a.elements, a.aligned);
  }
  complete(a.completion);
}

/// Without loss a wire is a vector.
template <class Codec>
AIRAMP_KERNEL(32 * codec_warps)
reduce_wires_kernel(AIRAMP_ARGUMENTS CodecArguments arguments) {
  const CodecArguments& a = in_place(arguments);
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
