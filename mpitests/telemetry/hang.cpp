// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A job that hangs: hang CASE. After some collectives rank 1 is stopped ("stopped"), enters a collective of another
// communicator ("elsewhere"), or is killed ("killed"), while all others are in MPI_Allreduce of MPI_COMM_WORLD. "well"
// ends as it should.
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

namespace {

constexpr int culprit = 1;
constexpr int rounds = 20;

void sum(MPI_Comm communicator) {
  const double one = 1;
  double all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, communicator);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string test_case = argc > 1 ? argv[1] : "";
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm others = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : 1, rank, &others);
  MPI_Comm_set_name(others, rank == 0 ? "first" : "rest");
  for (int round = 0; round < rounds; ++round) {
    sum(MPI_COMM_WORLD);
    sum(others);
  }
  if (rank == culprit && test_case != "well") {
    // The launcher ends the others once it is dead: they should be inside by then.
    if (test_case == "killed") sleep(1);
    if (test_case == "stopped") std::raise(SIGSTOP);
    if (test_case == "killed") std::raise(SIGKILL);
    if (test_case == "elsewhere") MPI_Barrier(others);
  }
  sum(MPI_COMM_WORLD);
  MPI_Comm_free(&others);
  MPI_Finalize();
  return 0;
}
