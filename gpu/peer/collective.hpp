// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace airamp::gpu {

/// Ranks of one host that can take part in one collective over peer memory.
inline constexpr int max_peers = 16;

/// The data flow of a collective; MPI's names.
enum class Pattern : std::uint8_t {
  allreduce,
  reduce_scatter_block,
  allgather,
  bcast,
  alltoallv,
  reduce,
  reduce_scatter,
  scan,
  exscan
};

/// Whether a pattern combines the ranks' elements; the others only move them.
constexpr bool reduces(Pattern pattern) {
  return pattern != Pattern::allgather && pattern != Pattern::bcast && pattern != Pattern::alltoallv;
}

/// Whether one shot carries a pattern: every result is of whole vectors.
constexpr bool may_be_one_shot(Pattern pattern) {
  return pattern == Pattern::allreduce || pattern == Pattern::reduce || pattern == Pattern::scan ||
         pattern == Pattern::exscan;
}

/// How often an element travels.
enum class Shots : std::uint8_t {
  one,  ///< everybody sends everything to all who need it, and they reduce for themselves; small vectors, lossless
  two   ///< an owner reduces each tile and sends the result to all, as a pipeline over the region's slots
};

/// Where a block lies that a rank sends, or that comes from a rank, in the buffer of its kind; in elements.
struct Block {
  std::uint64_t offset = 0;
  std::uint64_t elements = 0;
};

/// Scratch memory of a rank in which its launches say how far they are, so that another rank's may call them off.
inline constexpr std::size_t launch_state_bytes = 256;

/// All ranks' such memory, as mapped into this process, aligned to 256. It is used for nothing else, for as long as the
/// processes live: a launch that looks after another rank's may do so a little longer than that one runs.
struct LaunchStatePlaces {
  std::array<std::byte*, max_peers> of{};  ///< by rank
  int size = 0;
  int rank = 0;
  std::uint32_t number = 0;  ///< by which one user of the memory is told from the next; the same on all ranks
};

/// One collective over peer memory, as one rank launches it. What is not marked as this rank's own is equal on all
/// ranks.
struct PeerCollective {
  Pattern pattern = Pattern::allreduce;
  Shots shots = Shots::two;
  std::optional<WireFormat> wire;  ///< empty: without loss
  DataType type = DataType::float32;
  ReduceOp op = ReduceOp::sum;  ///< reductions
  int size = 0;
  int multiprocessors = 1;  ///< for each rank: of the GPU that has fewest for a rank of its own
  int root = 0;             ///< bcast, reduce

  /// allreduce, bcast, reduce, scan, exscan: of the vector. reduce_scatter_block: of one rank's result.
  /// reduce_scatter: of the longest result. alltoallv: of the longest block that any rank sends to any. Not used by
  /// allgather.
  std::uint64_t elements = 0;
  /// allgather, alltoallv: what comes from each rank, and where it goes. Of an allgather the offsets are own, of an
  /// alltoallv all of it; what a rank sends to itself is as long as what it gets from itself. reduce_scatter: what of
  /// the input each rank gets the result of.
  std::array<Block, max_peers> blocks{};
  std::array<Block, max_peers> sent{};          ///< own; alltoallv: what goes to each rank
  std::array<std::uint64_t, max_peers> room{};  ///< own; alltoallv: elements of each block that are kept, at most all

  int rank = 0;  ///< own
  /// Own; device memory, aligned to the elements' size unless bytes are moved without loss. The input may be the output
  /// (or its block: in place; of an alltoallv then with the same offsets; of a reduce_scatter then with no result that
  /// is longer than rank 0's). bcast: the output is the buffer, on the root as well. reduce: the root's alone. exscan:
  /// not rank 0's.
  const void* input = nullptr;
  void* output = nullptr;
  bool is_local = false;  ///< own; the output is not managed memory, which may be the host's or another GPU's

  /// Scratch, by rank, as mapped into this process: `region_bytes` bytes each, aligned to 1024, this collective's
  /// alone while it runs. Every byte is 0xff before the first launch and again after every launch.
  std::array<std::byte*, max_peers> region{};
  std::size_t region_bytes = 0;
};

}  // namespace airamp::gpu
