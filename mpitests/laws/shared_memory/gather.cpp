// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_gather: gathers through the memory of the host to every root, of every length, in place and not. What
// is significant at the root alone is nowhere else given.
#include <algorithm>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

void gather(std::size_t bytes, int root, int round, bool in_place, MPI_Comm communicator) {
  constexpr std::size_t guard = 7;
  const int rank = rank_in(communicator);
  const auto at = [&](int peer) { return guard + static_cast<std::size_t>(peer) * bytes; };
  std::vector<std::byte> own(bytes);
  for (std::size_t i = 0; i < bytes; ++i) own[i] = byte_of(rank, round, i);
  const Description sent(rank, bytes);
  if (rank != root) {
    MPI_Gather(own.data(), sent.count(), sent.type(), nullptr, -1, MPI_DATATYPE_NULL, root, communicator);
    return;
  }
  std::vector<std::byte> all(at(size_of(communicator)) + guard, untouched);
  std::vector<std::byte> expected = all;
  for (int peer = 0; peer < size_of(communicator); ++peer) {
    for (std::size_t i = 0; i < bytes; ++i) expected[at(peer) + i] = byte_of(peer, round, i);
  }
  if (in_place) std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(at(rank)));
  const Description received(rank + 1, bytes);
  MPI_Gather(in_place ? MPI_IN_PLACE : own.data(), sent.count(), sent.type(), all.data() + guard, received.count(),
             received.type(), root, communicator);
  require(all == expected, "what all send, and nothing beside it");
}

}  // namespace

void run() {
  int round = 0;
  on_communicators([&](MPI_Comm communicator) {
    for (int root = 0; root < size_of(communicator); ++root) {
      for (const std::size_t bytes : rooted_lengths) {
        for (const bool in_place : {false, true, false}) gather(bytes, root, ++round, in_place, communicator);
      }
    }
  });
  for (int i = 0; i < 300; ++i) {
    gather(static_cast<std::size_t>(i % 7), i % size_of(MPI_COMM_WORLD), i, i % 3 == 0, MPI_COMM_WORLD);
  }
}

}  // namespace airamp::laws
