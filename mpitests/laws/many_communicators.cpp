// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// AIRamp's communicators beside the application's are limited: MPI libraries run out of them. Calls on those that get
// none are native, and once others are freed, new ones get one again.
#include <mpi.h>

#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 4096;
constexpr int communicators = 300;

}  // namespace

void run() {
  const HalfSum half;
  std::vector<MPI_Comm> copies(communicators, MPI_COMM_NULL);
  int compressed = 0;
  for (MPI_Comm& copy : copies) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (sum_halves(half, copy, count, 0) > 0) ++compressed;
  }
  require(compressed > 200 && compressed <= 256, "most of them, and no more than 256");
  require(sum_halves(half, copies.front(), count, 1) > 0, "who has one keeps it");
  for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
  MPI_Comm another = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &another);
  require(sum_halves(half, another, count, 2) > 0, "there is room again");
  MPI_Comm_free(&another);
}

}  // namespace airamp::laws
