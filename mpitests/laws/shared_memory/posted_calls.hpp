// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {

using Bytes = std::vector<std::byte>;

/// What `root` sends in a round, and as much again that nobody sends.
inline Bytes sent(int root, int round, std::size_t bytes) {
  Bytes all(2 * bytes, untouched);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = byte_of(root, round, i);
  return all;
}

inline void broadcast(int root, int round, std::size_t bytes, MPI_Comm communicator) {
  const Bytes expected = sent(root, round, bytes);
  Bytes buffer = rank_in(communicator) == root ? expected : Bytes(2 * bytes, untouched);
  MPI_Bcast(buffer.data(), static_cast<int>(bytes), MPI_BYTE, root, communicator);
  require(buffer == expected, "what the root sends, and nothing beside it");
}

/// Blocks of so many bytes; in odd rounds the root's own one stays where it is.
inline void scatter(int root, int round, std::size_t bytes, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const auto block_of = [&](int of) {
    Bytes block(bytes);
    for (std::size_t i = 0; i < bytes; ++i) block[i] = byte_of(root + of + 1, round, i);
    return block;
  };
  Bytes own(2 * bytes, untouched);
  Bytes expected = block_of(rank);
  expected.resize(own.size(), untouched);
  const auto count = static_cast<int>(bytes);
  if (rank != root) {
    MPI_Scatter(nullptr, -1, MPI_DATATYPE_NULL, own.data(), count, MPI_BYTE, root, communicator);
    require(own == expected, "what the root sends to this rank, and nothing beside it");
    return;
  }
  Bytes all;
  for (int of = 0; of < size_of(communicator); ++of) {
    const Bytes block = block_of(of);
    all.insert(all.end(), block.begin(), block.end());
  }
  const bool in_place = round % 2 == 1;
  MPI_Scatter(all.data(), count, MPI_BYTE, in_place ? MPI_IN_PLACE : own.data(), count, MPI_BYTE, root, communicator);
  require(in_place || own == expected, "the root's own block, and nothing beside it");
}

/// Blocks of up to so many bytes, some of none, with gaps between them; in odd rounds the root's own one stays where it
/// is.
inline void scatterv(int root, int round, std::size_t bytes, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const auto block_of = [&](int of) {
    const auto turn = static_cast<std::size_t>(of + round) % 4;
    Bytes block(turn == 0 ? 0 : (bytes + turn - 1) / turn);
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = byte_of(root + of + 2, round, i);
    return block;
  };
  Bytes expected = block_of(rank);
  const auto count = static_cast<int>(expected.size());
  Bytes own(2 * bytes + 1, untouched);
  expected.resize(own.size(), untouched);
  if (rank != root) {
    MPI_Scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, own.data(), count, MPI_BYTE, root, communicator);
    require(own == expected, "what the root sends to this rank, and nothing beside it");
    return;
  }
  Bytes all;
  std::vector<int> counts;
  std::vector<int> displacements;
  for (int of = 0; of < size_of(communicator); ++of) {
    const Bytes block = block_of(of);
    all.resize(all.size() + static_cast<std::size_t>(of % 3), untouched);
    displacements.push_back(static_cast<int>(all.size()));
    counts.push_back(static_cast<int>(block.size()));
    all.insert(all.end(), block.begin(), block.end());
  }
  const bool in_place = round % 2 == 1;
  MPI_Scatterv(all.data(), counts.data(), displacements.data(), MPI_BYTE, in_place ? MPI_IN_PLACE : own.data(), count,
               MPI_BYTE, root, communicator);
  require(in_place || own == expected, "the root's own block, and nothing beside it");
}

/// The ranks agree on calls of all lengths that can be left for others. Nobody is behind afterwards, and never so far
/// that a root has no room to leave one: however slow a rank is, those that follow are left.
inline void agree(MPI_Comm communicator) {
  for (int i = 0; i < 3; ++i) {
    for (std::size_t bytes = 1; bytes <= 4096; bytes *= 2) broadcast(0, i, bytes, communicator);
    MPI_Barrier(communicator);
    for (std::size_t bytes = 1; bytes <= 4096; bytes *= 2) scatter(0, i, bytes, communicator);
    MPI_Barrier(communicator);
    for (std::size_t bytes = 1; bytes <= 4096; bytes *= 2) scatterv(0, i, bytes, communicator);
    MPI_Barrier(communicator);
  }
}

/// A communicator of all ranks on which they have agreed.
class Duplicate {
 public:
  Duplicate() {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
    agree(communicator_);
  }
  ~Duplicate() { MPI_Comm_free(&communicator_); }
  Duplicate(const Duplicate&) = delete;
  Duplicate& operator=(const Duplicate&) = delete;

  MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

}  // namespace airamp::laws
