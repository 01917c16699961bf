// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/real_device/buffer.hpp"
#include "mpitests/real_device/element.hpp"

namespace airamp::gpu_tests {

using differential::Random;

/// A communicator and its members' ranks in MPI_COMM_WORLD.
struct Communicator {
  std::string name;
  MPI_Comm handle = MPI_COMM_NULL;
  std::vector<int> members;
};

enum class Kind : std::uint8_t {
  allreduce,
  allgather,
  allgatherv,
  reduce_scatter_block,
  bcast,
  alltoall,
  alltoallv,
  reduce,
  reduce_scatter,
  scan,
  exscan
};

/// What the inputs look like.
enum class Flavour : std::uint8_t {
  normal,    ///< normals times a power of two
  whole,     ///< whole numbers whose sums are exact in the type, in any order
  specials,  ///< normals with a few NaNs and infinities among them
  overflow,  ///< near the largest number of the type
  near_one,  ///< from 0.5 to 2, for products
  sections,  ///< of zeros, of normals, and of numbers of very different size
  bits,      ///< any bits: integers and bytes
};

/// Which memory the ranks use.
enum class Placement : std::uint8_t { all_device, all_alike, mixed };

/// Blocks of one buffer, by rank.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> displacements;

  std::size_t end() const {
    return static_cast<std::size_t>(displacements.back()) + static_cast<std::size_t>(counts.back());
  }
};

/// One collective, equal on all of its ranks but for what place() and offset() answer.
struct Call {
  std::uint64_t seed = 0;
  Kind kind = Kind::allreduce;
  Flavour flavour = Flavour::normal;
  Placement placement = Placement::all_device;
  const Communicator* communicator = nullptr;
  const Element* element = nullptr;
  const Operation* operation = nullptr;  ///< of reductions
  std::size_t count = 0;                 ///< elements; reduce_scatter_block: of one rank's result; alltoall: of a
                                         ///< block; alltoallv: of a block at most
  std::vector<int> counts;               ///< allgather(v): of each rank's contribution; reduce_scatter: of its result
  std::vector<int> displacements;        ///< allgather(v): of each rank's block in the result
  int root = 0;
  bool in_place = false;
  int exponent = 0;        ///< of the power of two that scales normals
  bool unaligned = false;  ///< buffers at any byte
  bool started = false;    ///< an allreduce that one function starts and another completes

  std::size_t size() const { return communicator->members.size(); }
  bool reduces() const { return kind == Kind::allreduce || kind == Kind::reduce_scatter_block || kind >= Kind::reduce; }
  bool is_in_place(std::size_t rank) const {
    return in_place && (kind != Kind::reduce || static_cast<int>(rank) == root);
  }
  bool gathers() const { return kind == Kind::allgather || kind == Kind::allgatherv; }

  bool exchanges() const { return kind == Kind::alltoall || kind == Kind::alltoallv; }

  /// Elements that a rank of the communicator puts in, and those of its receive buffer.
  std::size_t contribution(std::size_t rank) const;
  std::size_t received(std::size_t rank) const;

  /// What a rank's result of a reduction consists of; no ranks if it gets none.
  struct Reduced {
    std::size_t begin = 0;  ///< in the vectors, in elements
    std::size_t count = 0;
    std::size_t ranks = 0;  ///< from rank 0 on
  };
  Reduced reduced(std::size_t rank) const;

  /// What a rank sends to each in an alltoall(v), or receives from each.
  Blocks sent_blocks(std::size_t rank) const;
  Blocks received_blocks(std::size_t rank) const;

  /// Where a rank's buffer lies, and how far behind an aligned address (bytes; whole elements unless unaligned).
  Place place(int world_rank, bool receive) const;
  std::size_t offset(int world_rank, bool receive) const;

  std::string describe() const;
};

/// Draws the next call; the same on all ranks of `communicator` whose generators are in step.
Call draw_call(Random& random, const Vocabulary& vocabulary, const Communicator& communicator,
               std::size_t max_elements);

/// What a rank of MPI_COMM_WORLD puts into a call, `count` elements.
std::vector<std::byte> contribution(const Call& call, int world_rank, std::size_t count);

/// The outcome of a call on this rank.
struct Outcome {
  std::vector<std::byte> result;  ///< the whole receive buffer
  bool intact = false;            ///< neither guards nor the send buffer were written to
};

/// Allocates the buffers, calls MPI and reads the result. `rank`: in the call's communicator.
Outcome execute(const Call& call, std::size_t rank);

}  // namespace airamp::gpu_tests
