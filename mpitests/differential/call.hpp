// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpitests/differential/communicators.hpp"
#include "mpitests/differential/element.hpp"
#include "mpitests/differential/operation.hpp"
#include "mpitests/differential/random.hpp"

namespace airamp::differential {

enum class Kind : std::uint8_t {
  allreduce,
  allgather,
  allgatherv,
  iallreduce,
  bcast,
  reduce,
  scan,
  reduce_scatter_block,
  alltoall,
  gather,
  scatter,
};

/// How the numbers of a call's floating-point data are spread.
enum class Spread : std::uint8_t {
  uniform,   ///< -1 ... 1 times one power of two
  wide,      ///< many magnitudes side by side
  sparse,    ///< nine in ten are zero
  tiny,      ///< subnormal
  overflow,  ///< positive, three quarters of the largest value and more: the sum of two overflows
};

/// One random collective: the same on all ranks but for `communicator`, which says what it is on this rank.
struct Call {
  Kind kind = Kind::allreduce;
  bool large_count = false;  ///< MPI_X_c
  bool in_place = false;
  bool native_last = false;  ///< AIRamp's run comes before the native one
  const Communicator* communicator = nullptr;
  const Element* element = nullptr;
  const Operation* operation = nullptr;  ///< of the reductions
  std::size_t count = 0;                 ///< elements; those of one rank in gathers and scatters
  std::vector<std::size_t> counts;       ///< allgatherv: by world rank
  std::vector<std::size_t> gaps;         ///< allgatherv: elements left free before a rank's block, by world rank
  int root = 0;
  std::size_t send_offset = 0;  ///< bytes between a cache line and the buffer
  std::size_t receive_offset = 0;
  Spread spread = Spread::uniform;
  int exponent = 0;     ///< of Spread::uniform
  double poison = 0.0;  ///< share of NaN and infinite elements
  std::uint64_t data_seed = 0;

  std::string describe() const;
};

/// Draws a call. `world_size` is the number of processes; all ranks must hold `random` in the same state.
Call draw_call(Random& random, const Communicators& communicators, const std::vector<Element>& elements,
               const std::vector<Operation>& operations, int world_size);

/// Kinds that take an operation.
bool reduces(Kind kind);

/// Elements that the rank `world_rank` contributes to an allgather(v).
std::size_t contribution(const Call& call, int world_rank);

/// Where the blocks of an allgather(v) lie in the receive buffer, in elements; one per rank of the group received from.
std::vector<std::size_t> displacements(const Call& call);

/// World ranks whose data this rank receives in an allreduce or allgather(v): those of the remote group of an
/// inter-communicator, else of the group.
const std::vector<int>& sources(const Call& call);

}  // namespace airamp::differential
