// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The first accelerated calls on communicators of which the application is making duplicates meanwhile.
#include <mpi.h>
#include <unistd.h>

#include <array>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;

/// Sums halves on a duplicate of MPI_COMM_WORLD, on its mirror image and on MPI_COMM_WORLD while all are duplicated.
void sum_meanwhile(const HalfSum& half, int rank, int round) {
  MPI_Comm straight = MPI_COMM_NULL;
  MPI_Comm mirrored = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &straight);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &mirrored);
  std::array<MPI_Comm, 3> duplicates{MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
  std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Comm_idup(straight, &duplicates[0], &requests[0]);
  if (rank == 1 && round % 2 == 1) usleep(1000);
  sum_halves(half, straight, count, round);
  MPI_Comm_idup(mirrored, &duplicates[1], &requests[1]);
  sum_halves(half, mirrored, count, round);
  MPI_Comm_idup(MPI_COMM_WORLD, &duplicates[2], &requests[2]);
  sum_halves(half, mirrored, 3 * count, round);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (MPI_Comm& duplicate : duplicates) {
    require(sum_halves(half, duplicate, count, round) > 0, "calls on the duplicates are compressed");
    MPI_Comm_free(&duplicate);
  }
  MPI_Comm_free(&mirrored);
  MPI_Comm_free(&straight);
}

}  // namespace

void run() {
  const HalfSum half;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 20; ++round) sum_meanwhile(half, rank, round);
}

}  // namespace airamp::laws
