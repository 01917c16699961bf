// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_alltoall: alltoalls through the memory of the host, of every length, in place and not.
#include <algorithm>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

/// What rank `from` sends to rank `to`, of that length.
void put_block(std::byte* block, std::size_t bytes, int from, int to, int round) {
  for (std::size_t i = 0; i < bytes; ++i) block[i] = byte_of(from * 16 + to, round, i);
}

void exchange(std::size_t bytes, int round, bool in_place, MPI_Comm communicator) {
  constexpr std::size_t guard = 7;
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  std::vector<std::byte> send(bytes * static_cast<std::size_t>(ranks));
  std::vector<std::byte> receive(guard + send.size() + guard, untouched);
  std::vector<std::byte> expected = receive;
  for (int peer = 0; peer < ranks; ++peer) {
    const std::size_t at = static_cast<std::size_t>(peer) * bytes;
    put_block(send.data() + at, bytes, rank, peer, round);
    put_block(expected.data() + guard + at, bytes, peer, rank, round);
  }
  if (in_place) std::copy(send.begin(), send.end(), receive.begin() + guard);
  const std::vector<std::byte> sent = send;
  const Description received(rank, bytes);
  const Description described(rank + 1, bytes);
  MPI_Alltoall(in_place ? MPI_IN_PLACE : send.data(), described.count(), described.type(), receive.data() + guard,
               received.count(), received.type(), communicator);
  require(receive == expected, "what the others send, and nothing beside it");
  require(send == sent, "what is sent stays");
}

/// A type with a gap: only what is sent arrives.
void exchange_with_gaps(int round, MPI_Comm communicator) {
  const CommittedDatatype type([](MPI_Datatype* made) {
    MPI_Datatype pairs = MPI_DATATYPE_NULL;
    MPI_Type_vector(5, 2, 3, MPI_BYTE, &pairs);
    MPI_Type_create_resized(pairs, 0, 15, made);
    MPI_Type_free(&pairs);
  });
  constexpr std::size_t block = 15;
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  std::vector<std::byte> send(block * static_cast<std::size_t>(ranks));
  std::vector<std::byte> receive(send.size(), untouched);
  std::vector<std::byte> expected = receive;
  for (int peer = 0; peer < ranks; ++peer) {
    const std::size_t at = static_cast<std::size_t>(peer) * block;
    put_block(send.data() + at, block, rank, peer, round);
    put_block(expected.data() + at, block, peer, rank, round);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i % 15 % 3 == 2) expected[i] = untouched;
  }
  MPI_Alltoall(send.data(), 1, type.get(), receive.data(), 1, type.get(), communicator);
  require(receive == expected, "what lies between the gaps, and the gaps");
}

}  // namespace

void run() {
  int round = 0;
  on_communicators([&](MPI_Comm communicator) {
    for (const std::size_t bytes : {0U, 1U, 3U, 819U, 1365U, 2048U, 2049U, 131072U, 131073U, 300003U}) {
      for (const bool in_place : {false, true, false, true}) exchange(bytes, ++round, in_place, communicator);
    }
    // again and again, calls take a shorter way: those that go at once, in one step of three and of four ranks, in more
    for (const std::size_t bytes : {4U, 100000U, 80000U, 200000U}) {
      for (int i = 0; i < 30; ++i) exchange(bytes, ++round, i % 5 == 4, communicator);
    }
    exchange_with_gaps(++round, communicator);
  });
  for (int i = 0; i < 300; ++i) exchange(static_cast<std::size_t>(i % 7), i, i % 3 == 0, MPI_COMM_WORLD);
}

}  // namespace airamp::laws
