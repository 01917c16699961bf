// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_bcast: broadcasts through the memory of the host, from every root, of every length.
#include <algorithm>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

void broadcast(std::size_t bytes, int root, int round, MPI_Comm communicator) {
  constexpr std::size_t guard = 5;
  const bool sends = rank_in(communicator) == root;
  std::vector<std::byte> buffer(guard + bytes + guard, untouched);
  std::vector<std::byte> expected = buffer;
  for (std::size_t i = 0; i < bytes; ++i) expected[guard + i] = byte_of(root, round, i);
  if (sends) buffer = expected;
  const Description description(rank_in(communicator), bytes);
  MPI_Bcast(buffer.data() + guard, description.count(), description.type(), root, communicator);
  require(buffer == expected, "what the root sends, and nothing beside it");
}

/// A type with a gap: only what is sent arrives.
void broadcast_with_gaps(int root, int round, MPI_Comm communicator) {
  constexpr int blocks = 40;
  const CommittedDatatype type([](MPI_Datatype* made) { MPI_Type_vector(blocks, 3, 4, MPI_BYTE, made); });
  std::vector<std::byte> buffer(blocks * 4, untouched);
  std::vector<std::byte> expected = buffer;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i % 4 != 3) expected[i] = byte_of(root, round, i);
  }
  if (rank_in(communicator) == root) buffer = expected;
  MPI_Bcast(buffer.data(), 1, type.get(), root, communicator);
  require(buffer == expected, "what lies between the gaps, and the gaps");
}

}  // namespace

void run() {
  int round = 0;
  on_communicators([&](MPI_Comm communicator) {
    for (int root = 0; root < size_of(communicator); ++root) {
      for (const std::size_t bytes : rooted_lengths) {
        for (int again = 0; again < 3; ++again) broadcast(bytes, root, ++round, communicator);
        broadcast(8, root, ++round, communicator);  // lengths that take turns
      }
      broadcast_with_gaps(root, ++round, communicator);
    }
  });
  for (int i = 0; i < 300; ++i)
    broadcast(static_cast<std::size_t>(i % 7), i % size_of(MPI_COMM_WORLD), i, MPI_COMM_WORLD);
}

}  // namespace airamp::laws
