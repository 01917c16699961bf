// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The communicators that an MPI library has are the application's: calls on any number of them are compressed, those
// that come when there are no more as well, and nothing is fatal. The scratch of all of them is that of one.
#include <mpi.h>

#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 4096;
constexpr std::size_t with_calls = 300;
constexpr std::size_t most = 2500;  // more than MPICH has; Open MPI has more

/// Duplicates of MPI_COMM_WORLD until there are no more.
std::vector<MPI_Comm> duplicate_until_the_end() {
  std::vector<MPI_Comm> copies;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (copies.size() < most) {
    MPI_Comm copy = MPI_COMM_NULL;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &copy) != MPI_SUCCESS) break;
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
    copies.push_back(copy);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  return copies;
}

}  // namespace

void run() {
  const HalfSum half;
  std::vector<MPI_Comm> copies = duplicate_until_the_end();
  require(copies.size() > with_calls, "the application has its communicators");
  for (std::size_t i = 0; i < with_calls; ++i) {
    // several sizes: each has a plan of its own
    require(sum_halves(half, copies[i], count << (i % 4), 0) > 0, "calls on each are compressed");
  }
  require(sum_halves(half, copies.front(), count, 1) > 0, "who has a plan keeps it");
  require(sum_halves(half, MPI_COMM_WORLD, count, 2) > 0, "and those on MPI_COMM_WORLD");
  for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
}

}  // namespace airamp::laws
