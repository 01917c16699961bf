// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Sums and a gather whose results are checked: sums [exact|compressed]. "exact": every result must be native's;
// "compressed": that of FP16 must not be. Rank 0 prints one line.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 200000;

void sum_integers(int rank, int ranks) {
  std::vector<int> values(count, rank + 1);
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(count), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (const int value : values) require(value == ranks * (ranks + 1) / 2, "sum of integers");
}

double gather_halves(const HalfSum& half, int rank, int ranks) {
  const std::vector<std::uint16_t> send = halves(count, rank, 9);
  std::vector<std::uint16_t> receive(count * static_cast<std::size_t>(ranks));
  MPI_Allgather(send.data(), static_cast<int>(count), half.type(), receive.data(), static_cast<int>(count), half.type(),
                MPI_COMM_WORLD);
  const double error = error_of_gather(receive, ranks, 9);
  require(error < compressed_error, "gather of halves");
  return error;
}

void run(const char* demand) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const HalfSum half;
  double largest_error = 0;
  for (int round = 0; round < 5; ++round) {
    sum_integers(rank, ranks);
    largest_error = std::max(largest_error, sum_halves(half, MPI_COMM_WORLD, count, round));
  }
  largest_error = std::max(largest_error, gather_halves(half, rank, ranks));
  if (std::strcmp(demand, "exact") == 0) require(largest_error == 0, "result is not native's");
  if (std::strcmp(demand, "compressed") == 0) require(largest_error > 0, "result was not compressed");
  if (rank == 0) std::printf("sums are right on %d ranks\n", ranks);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::laws::run(argc > 1 ? argv[1] : "");
  MPI_Finalize();
  return 0;
}
