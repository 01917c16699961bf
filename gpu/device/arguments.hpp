// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What kernels are launched with. Plain data; offsets and counts are in elements of the codec's unit (bytes where data
// only moves) unless they say otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/reduce_op.hpp"
#include "gpu/peer/collective.hpp"

namespace airamp::gpu::device {

// What a launch says to the host.
inline constexpr std::uint32_t launch_running = 0;
inline constexpr std::uint32_t launch_done = 1;
inline constexpr std::uint32_t launch_left = 2;  ///< all of its blocks have ended, some because they were told to leave

/// A launch's blocks, in device memory of its own GPU: 0 before and after every launch, but for `called_off` and
/// `finished`. The host writes by the copy engine, which needs no room beside kernels that fill the GPU; kernels of the
/// other ranks write `called_off` (call_off_peers.hpp).
struct alignas(16) LaunchState {
  /// Blocks that have begun. One 64-bit operation counts a block and tells it whether the launch was called off before.
  /// Who reads 0 after a launch finds its flag at launch_done.
  std::uint32_t begun = 0;
  std::uint32_t called_off = 0;  ///< the number of a launch, whose blocks that have not begun must not
  std::uint32_t ended = 0;       ///< blocks that have begun and ended; in the upper half, those that were told to leave
  std::uint32_t leave = 0;       ///< if not 0, whoever waits for another rank leaves
  std::uint32_t accepted = 0;    ///< blocks that have begun and know that they may go on
  std::uint32_t refused = 0;     ///< and that they may not
  /// Twice the launches that were done. The number of the next one is one more: odd, so that 0 is no launch's, and the
  /// same on all ranks.
  std::uint32_t finished = 0;
};

/// Where the launches' states of all ranks are, as mapped in this process; in device memory.
struct LaunchStates {
  LaunchState* of[max_peers] = {};
  std::int32_t size = 0;
};

/// How a launch talks with its host and, before it has started, with the other ranks' launches. The same for all
/// launches of a queue, so that equal launches can be repeated.
struct Completion {
  LaunchState* state = nullptr;
  std::uint32_t* flag = nullptr;         ///< host memory; launch_running becomes launch_done or launch_left
  const LaunchStates* states = nullptr;  ///< nullptr: it never leaves by itself
  bool is_local = false;                 ///< all output is memory of the launch's own GPU (start_gate.hpp)
};

/// The ring of slots in every rank's region and this rank's place in it.
struct Ring {
  std::byte* region[max_peers] = {};
  std::uint32_t votes_offset = 0;  ///< in a region (start_gate.hpp)
  std::uint32_t slot_bytes = 0;
  std::uint32_t record_offset = 0;  ///< in a slot, of the rows' records
  std::uint32_t channels = 0;
  std::uint32_t rounds = 0;
  std::int32_t size = 0;
  std::int32_t rank = 0;
};

/// allreduce, reduce and reduce_scatter(_block), two-shot. Tile `index` (round * channels + channel) of owner `o`
/// begins at element begin[o] + index * index_step and ends before end[o].
struct ReduceArguments {
  Ring ring;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::uint64_t begin[max_peers] = {};
  std::uint64_t end[max_peers] = {};
  std::uint64_t index_step = 0;
  std::uint64_t output_shift = 0;  ///< element x of the vector is stored as element x - output_shift of the output
  std::uint32_t readers = 0;       ///< a bit for every rank to which the owners' results travel
  ReduceOp op = ReduceOp::sum;
  bool keeps = true;            ///< an owner stores its own result
  bool tokens = false;          ///< some owners' tiles end rounds before others': tokens travel in their place
  bool by_votes = false;        ///< some rank's output does not need data of all (start_gate.hpp)
  bool input_aligned = false;   ///< every tile begins at a multiple of 16 bytes
  bool output_aligned = false;  ///< likewise
  Completion completion;
};

/// scan and exscan, two-shot.
struct PrefixArguments {
  Ring ring;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::uint64_t elements = 0;
  ReduceOp op = ReduceOp::sum;
  bool exclusive = false;
  bool input_aligned = false;
  bool output_aligned = false;
  Completion completion;
};

/// allgather.
struct GatherArguments {
  Ring ring;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::uint64_t offset[max_peers] = {};
  std::uint64_t elements[max_peers] = {};
  bool input_aligned = false;
  std::uint32_t output_aligned = 0;  ///< a bit for every block
  Completion completion;
};

/// alltoallv. By rank: what goes to it and what comes from it, of which the first `room` elements are kept.
struct AlltoallArguments {
  Ring ring;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::uint64_t sent_offset[max_peers] = {};
  std::uint64_t sent_elements[max_peers] = {};
  std::uint64_t offset[max_peers] = {};
  std::uint64_t elements[max_peers] = {};
  std::uint64_t room[max_peers] = {};
  std::uint32_t input_aligned = 0;   ///< a bit for every block
  std::uint32_t output_aligned = 0;  ///< likewise
  Completion completion;
};

/// bcast. The ranks but the root own the tiles in turn, beginning with the one after the root.
struct BroadcastArguments {
  Ring ring;
  std::byte* buffer = nullptr;
  std::uint64_t elements = 0;
  std::int32_t root = 0;
  bool aligned = false;
  Completion completion;
};

/// One-shot allreduce, reduce, scan and exscan. A region is divided by sender; rows follow each other, and after all of
/// them their records.
struct OneShotArguments {
  Completion completion;  // first what is read first: a short call waits for each line of arguments that it reads
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::uint64_t elements = 0;
  std::uint32_t rows = 0;
  std::int32_t size = 0;
  std::int32_t rank = 0;
  std::int32_t sources = 0;   ///< this rank's result is of so many ranks, from rank 0 on; 0: it gets none
  std::uint32_t readers = 0;  ///< a bit for every rank that needs this rank's data
  ReduceOp op = ReduceOp::sum;
  bool input_aligned = false;
  bool output_aligned = false;
  std::uint32_t votes_offset = 0;  ///< in a region (start_gate.hpp)
  std::byte* region[max_peers] = {};
};

/// The codecs on their own. encode: input -> wire; decode: wire[0] -> output; reduce: wire[0 ... count-1] -> result.
struct CodecArguments {
  const std::byte* wire[max_peers] = {};
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::byte* result = nullptr;
  std::uint64_t elements = 0;
  std::uint64_t rows = 0;
  std::int32_t count = 0;
  ReduceOp op = ReduceOp::sum;
  bool aligned = false;
  Completion completion;
};

/// A ghost.
struct GhostArguments {
  Completion completion;
};

}  // namespace airamp::gpu::device
