// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Communicators that are freed while plans live on them and on others, many in a row, some never freed.
#include <vector>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 30000;

void free_with_plans(const HalfSum& half) {
  for (int i = 0; i < 40; ++i) {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    sum_halves(half, communicator, count, i);
    sum_halves(half, communicator, 4 * count, i);
    MPI_Comm_free(&communicator);
    sum_halves(half, MPI_COMM_WORLD, count, i);
  }
}

void free_early(const HalfSum& half) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<MPI_Comm> communicators(6, MPI_COMM_NULL);
  for (std::size_t i = 0; i < communicators.size(); ++i) {
    // Every other one is for a part of the ranks only, and its parent may go first.
    const MPI_Comm parent = i % 2 == 0 ? MPI_COMM_WORLD : communicators[i - 1];
    MPI_Comm_split(parent, i % 2 == 0 ? 0 : rank % 2, -rank, &communicators[i]);
    sum_halves(half, communicators[i], count, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < communicators.size(); i += 2) MPI_Comm_free(&communicators[i]);
  for (std::size_t i = 1; i < communicators.size(); i += 2)
    sum_halves(half, communicators[i], count, static_cast<int>(i));
  MPI_Comm_free(&communicators[1]);
  MPI_Comm_free(&communicators[3]);
  // The last one is left to MPI_Finalize, as careless codes do.
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const airamp::laws::HalfSum half;
    airamp::laws::free_with_plans(half);
    airamp::laws::free_early(half);
  }
  MPI_Finalize();
  return 0;
}
