// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/fake_device/checked_call/buffer.hpp"
#include "mpitests/soak/element.hpp"

namespace airamp::soak {

using device_tests::Place;
using differential::Random;

enum class Kind : std::uint8_t {
  allreduce,
  reduce,
  scan,
  exscan,
  reduce_scatter_block,
  reduce_scatter,
  bcast,
  allgather,
  allgatherv,
  gather,
  gatherv,
  scatter,
  scatterv,
  alltoall,
  alltoallv,
  barrier,
  iallreduce,
  ibcast,
};
inline constexpr int kinds = 18;

/// One random collective, the same on all ranks of its communicator but for `send_place` and `receive_place`.
struct Call {
  Kind kind = Kind::barrier;
  const Element* element = nullptr;
  Operation operation{MPI_OP_NULL, Meaning::none};
  int count = 0;  ///< elements; those of a block where there is one for each rank
  int root = 0;
  bool in_place = false;
  std::uint64_t seed = 0;  ///< of the data and of the lengths of blocks
  Place send_place = Place::host;
  Place receive_place = Place::host;

  std::string describe() const;
};

/// What calls are drawn from.
struct Choice {
  const Elements& elements;
  int ranks;
  std::size_t most_bytes;  ///< of a vector or a block
  bool device;             ///< buffers lie in the fake GPU's memory or in the host's
};

/// `random` must be in the same state on all ranks of the communicator.
Call draw_call(Random& random, const Choice& choice);

/// The lengths of the blocks that rank `from` sends to all ranks in alltoallv; in the other kinds those of the ranks'
/// blocks, whatever `from` is.
std::vector<int> block_lengths(const Call& call, int ranks, int from);

/// Where such blocks begin: with room between them.
std::vector<int> block_offsets(const std::vector<int>& lengths);

}  // namespace airamp::soak
