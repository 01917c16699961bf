// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A job that hangs: hang CASE. After some collectives all ranks but rank 1 wait in MPI_Allreduce of MPI_COMM_WORLD,
// while it is stopped ("stopped"), enters a collective of another communicator ("elsewhere"), is killed ("killed"), or
// is stopped within the collective before that, which the others have left ("behind"). In other cases they wait for a
// message of rank 1, which is stopped ("receiving"), all ranks stay out of MPI ("idle"), or all go on with collectives
// without end ("endless"). "well" ends as it should.
#include <mpi.h>
#include <sys/types.h>
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

/// Rank 1 waits for the last rank's value until that rank stops it; small values leave at once. Nobody waits for rank
/// 1: it is a leaf of trees and the end of chains from that root.
void broadcast_and_stop_receiver(int rank) {
  constexpr int root = culprit + 1;
  pid_t receiver = getpid();
  MPI_Bcast(&receiver, sizeof receiver, MPI_BYTE, culprit, MPI_COMM_WORLD);
  if (rank == root) {
    // The receiver should be inside by then; whether it is stopped there or before, the others are one call ahead.
    sleep(1);
    kill(receiver, SIGSTOP);
  }
  double one = 1;
  MPI_Bcast(&one, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
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
  while (test_case == "endless") sum(MPI_COMM_WORLD);
  while (test_case == "idle") pause();
  if (test_case == "behind") broadcast_and_stop_receiver(rank);
  if (rank == culprit) {
    // The launcher ends the others once it is dead: they should be inside by then.
    if (test_case == "killed") sleep(1);
    if (test_case == "stopped" || test_case == "receiving") std::raise(SIGSTOP);
    if (test_case == "killed") std::raise(SIGKILL);
    if (test_case == "elsewhere") MPI_Barrier(others);
  }
  if (test_case == "receiving" && rank != culprit) {
    MPI_Recv(nullptr, 0, MPI_BYTE, culprit, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  sum(MPI_COMM_WORLD);
  MPI_Comm_free(&others);
  MPI_Finalize();
  return 0;
}
