// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/peer/collective.hpp"

namespace airamp::gpu::test {

using Bytes = std::vector<std::byte>;

/// What fills whatever a collective must leave alone.
inline constexpr std::byte untouched{0xa5};

/// The values of a case's input.
enum class Values {
  ordinary,  ///< of similar size; integers: of any size, and some that look special on the wire
  any_bits,  ///< NaN, infinities and subnormal numbers among them
  poisoned   ///< ordinary, here and there NaN, infinity or a number that overflows
};

/// One collective with all that a test varies; the same on all ranks.
struct PeerCase {
  Pattern pattern = Pattern::allreduce;
  Shots shots = Shots::two;
  std::optional<WireFormat> wire;
  DataType type = DataType::float32;
  ReduceOp op = ReduceOp::sum;
  std::uint64_t elements = 0;  ///< as in PeerCollective; allgather, alltoallv, reduce_scatter: of the largest block
  int size = 2;
  int root = 0;
  std::size_t skipped = 0;  ///< elements that buffers lie beside a multiple of 16 bytes
  bool in_place = false;
  std::size_t region_bytes = 0;
  Values values = Values::ordinary;
  std::uint32_t seed = 0;
};

std::string to_string(Pattern pattern);
std::string to_string(const PeerCase& c);

/// allgather: the block of `source`, as laid out on every rank; some are empty, gaps lie between them.
Block block_of(const PeerCase& c, int source);

/// alltoallv: what `rank` sends to another one, and where what it gets from another one goes; some are empty, of some
/// pairs more than of others, gaps lie between them. In place all are of the same length, and in the same place.
Block sent_block(const PeerCase& c, int rank, int to);
Block received_block(const PeerCase& c, int rank, int from);

/// Elements of a received block that are kept: of some less than all.
std::uint64_t kept_elements(const PeerCase& c, int rank, int from);

/// reduce_scatter: what of the vector `rank` gets the result of; some ranks get less than others, or nothing.
Block result_block(const PeerCase& c, int rank);

/// Elements of a rank's input, and of the memory that its output points to.
std::uint64_t input_elements(const PeerCase& c, int rank);
std::uint64_t output_elements(const PeerCase& c, int rank);

/// The case as a rank launches it, but for its buffers, the regions and the multiprocessors.
PeerCollective collective_of(const PeerCase& c, int rank);

/// A rank's input (bcast: the buffer).
Bytes input_of(const PeerCase& c, int rank);

/// What the memory of a rank's output holds before.
Bytes output_before(const PeerCase& c, int rank);

}  // namespace airamp::gpu::test
