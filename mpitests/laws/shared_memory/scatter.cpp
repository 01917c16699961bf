// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_scatter: scatters through the memory of the host from every root, of every length, in place and not.
// What is significant at the root alone is nowhere else given.
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

void scatter(std::size_t bytes, int root, int round, bool in_place, MPI_Comm communicator) {
  constexpr std::size_t guard = 7;
  const int rank = rank_in(communicator);
  std::vector<std::byte> own(guard + bytes + guard, untouched);
  std::vector<std::byte> expected = own;
  for (std::size_t i = 0; i < bytes; ++i) expected[guard + i] = byte_of(rank, round, i);
  const Description received(rank, bytes);
  if (rank != root) {
    MPI_Scatter(nullptr, -1, MPI_DATATYPE_NULL, own.data() + guard, received.count(), received.type(), root,
                communicator);
    require(own == expected, "what the root sends, and nothing beside it");
    return;
  }
  std::vector<std::byte> all(bytes * static_cast<std::size_t>(size_of(communicator)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = byte_of(static_cast<int>(i / bytes), round, i % bytes);
  const std::vector<std::byte> sent = all;
  const Description described(rank + 1, bytes);
  MPI_Scatter(all.data(), described.count(), described.type(), in_place ? MPI_IN_PLACE : own.data() + guard,
              received.count(), received.type(), root, communicator);
  require(all == sent, "what is sent stays");
  require(in_place || own == expected, "the root's own block, and nothing beside it");
}

/// Receivers that offer more room than the root sends, which is wrong, but MPI libraries let them. Of any length that
/// the ranks see it must not hang.
void scatter_into_more_room(int bytes, int room, int root, int round, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  std::vector<std::byte> all(static_cast<std::size_t>(bytes * ranks), byte_of(root, round, 0));
  std::vector<std::byte> own(static_cast<std::size_t>(room), untouched);
  if (rank == root) {
    MPI_Scatter(all.data(), bytes, MPI_BYTE, own.data(), bytes, MPI_BYTE, root, communicator);
  } else {
    MPI_Scatter(nullptr, 0, MPI_BYTE, own.data(), room, MPI_BYTE, root, communicator);
  }
  require(own.front() == byte_of(root, round, 0), "what the root sends arrives");
  MPI_Barrier(communicator);
}

}  // namespace

void run() {
  int round = 0;
  on_communicators([&](MPI_Comm communicator) {
    for (int root = 0; root < size_of(communicator); ++root) {
      for (const std::size_t bytes : rooted_lengths) {
        for (const bool in_place : {false, true, false}) scatter(bytes, root, ++round, in_place, communicator);
      }
    }
  });
  // on more ranks they would forward what they have no room for
  for (int i = 0; size_of(MPI_COMM_WORLD) == 2 && i < 50; ++i) {
    scatter_into_more_room(64, 64 << (i % 6), i % 2, i, MPI_COMM_WORLD);
    scatter(64, i % 2, i, false, MPI_COMM_WORLD);
  }
  for (int i = 0; i < 300; ++i) {
    scatter(static_cast<std::size_t>(i % 7), i % size_of(MPI_COMM_WORLD), i, i % 3 == 0, MPI_COMM_WORLD);
  }
}

}  // namespace airamp::laws
