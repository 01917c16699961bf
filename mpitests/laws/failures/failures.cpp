// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// failures revoked|killed: where an MPI library survives the failure of a rank, its programs do so with AIRamp as well.
// Rank 0 revokes the communicator instead of taking part in a collective, or the last rank dies in the middle of one.
// All others get the library's own class of error, and go on with a communicator of those that are left, to the end.
#include <mpi.h>
// after it
#include <mpi-ext.h>

#include <csignal>
#include <cstring>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 100000;
constexpr int rounds = 5;

int class_of_error(const HalfSum& half, MPI_Comm communicator) {
  std::vector<std::uint16_t> values(count);
  int result = MPI_SUCCESS;
  MPI_Error_class(
      MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(count), half.type(), half.op(), communicator),
      &result);
  return result;
}

/// Until all others have ended their calls: a failure would be heard in those, too.
void wait_for_others(int failing) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank != failing) MPI_Send(nullptr, 0, MPI_BYTE, failing, 0, MPI_COMM_WORLD);
  for (int other = 0; rank == failing && other < ranks - 1; ++other) {
    MPI_Recv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void fail(const HalfSum& half, MPI_Comm communicator, bool killed) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  wait_for_others(killed ? ranks - 1 : 0);
  if (killed && rank == ranks - 1) std::raise(SIGKILL);
  if (!killed && rank == 0) {
    MPIX_Comm_revoke(communicator);
    return;
  }
  const int first = class_of_error(half, communicator);
  require(first == MPIX_ERR_REVOKED || (killed && first == MPIX_ERR_PROC_FAILED), "class of the error");
  MPIX_Comm_revoke(communicator);
  require(class_of_error(half, communicator) == MPIX_ERR_REVOKED, "class of the error of a revoked communicator");
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  MPI_Init(&argc, &argv);
  const bool killed = argc > 1 && std::strcmp(argv[1], "killed") == 0;
  {
    const HalfSum half;
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; ++round) sum_halves(half, communicator, count, round);
    fail(half, communicator, killed);
    MPI_Comm left = MPI_COMM_NULL;
    MPIX_Comm_shrink(communicator, &left);
    for (int round = 0; round < rounds; ++round) {
      require(sum_halves(half, left, count, round) > 0, "calls on the new communicator are accelerated");
    }
    MPI_Comm_free(&communicator);
    MPI_Comm_free(&left);
  }
  MPI_Finalize();
  return 0;
}
