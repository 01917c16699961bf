// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// MPI_THREAD_MULTIPLE: two threads make collectives on a communicator each, at the same time, and free it.
#include <cstdio>
#include <thread>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

void work(const HalfSum& half, MPI_Comm communicator, int first_round) {
  for (int round = first_round; round < first_round + 20; ++round) {
    sum_halves(half, communicator, 20000, round);
    sum_halves(half, communicator, 50, round);
    int one = 1;
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, communicator);
    int ranks = 0;
    MPI_Comm_size(communicator, &ranks);
    require(one == ranks, "sum of ones");
  }
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  {
    const airamp::laws::HalfSum half;
    MPI_Comm communicators[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    for (MPI_Comm& communicator : communicators) MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    const auto work = [&](int i) { airamp::laws::work(half, communicators[i], 100 * i); };
    if (provided == MPI_THREAD_MULTIPLE) {
      std::thread other(work, 0);
      work(1);
      other.join();
    } else {
      std::puts("this MPI library has no MPI_THREAD_MULTIPLE: skipped");
    }
    for (MPI_Comm& communicator : communicators) MPI_Comm_free(&communicator);
  }
  MPI_Finalize();
  return 0;
}
