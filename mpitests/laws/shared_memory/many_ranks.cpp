// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_many_ranks: collectives with a block for each rank, on more ranks than a page has cache lines.
#include <mpi.h>

#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

void exchange(long round) {
  const int ranks = size_of(MPI_COMM_WORLD);
  const int own = rank_in(MPI_COMM_WORLD);
  std::vector<long> sent;
  for (int rank = 0; rank < ranks; ++rank) sent.push_back(1000L * own + rank + round);
  std::vector<long> received(sent.size());
  MPI_Alltoall(sent.data(), 1, MPI_LONG, received.data(), 1, MPI_LONG, MPI_COMM_WORLD);
  for (int rank = 0; rank < ranks; ++rank)
    require(received[static_cast<std::size_t>(rank)] == 1000L * rank + own + round, "MPI_Alltoall");
}

/// Rank r gives r + i in place i, of blocks of so many numbers.
void scatter_sums(int numbers) {
  const int ranks = size_of(MPI_COMM_WORLD);
  const std::vector<int> counts(static_cast<std::size_t>(ranks), numbers);
  std::vector<long> given;
  for (int i = 0; i < ranks * numbers; ++i) given.push_back(rank_in(MPI_COMM_WORLD) + i);
  std::vector<long> by_block(static_cast<std::size_t>(numbers));
  std::vector<long> by_counts = by_block;
  MPI_Reduce_scatter_block(given.data(), by_block.data(), numbers, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(given.data(), by_counts.data(), counts.data(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < numbers; ++i) {
    const long place = static_cast<long>(rank_in(MPI_COMM_WORLD)) * numbers + i;
    const long sum = static_cast<long>(ranks) * (ranks - 1) / 2 + ranks * place;
    require(by_block[static_cast<std::size_t>(i)] == sum, "MPI_Reduce_scatter_block");
    require(by_counts[static_cast<std::size_t>(i)] == sum, "MPI_Reduce_scatter");
  }
}

}  // namespace

void run() {
  for (long round = 0; round < 3; ++round) {
    exchange(round);
    for (const int numbers : {1, 7, 8, 100}) scatter_sums(numbers);
  }
}

}  // namespace airamp::laws
