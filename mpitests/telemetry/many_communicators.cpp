// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Twice 150 communicators of one rank, of which half are freed in between, and 40 of all ranks, with a barrier and a
// sum on each: more than have entries of their own where calls are published. Ends with status 1 if a sum is wrong.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using Communicators = std::vector<MPI_Comm>;

/// Appends duplicates, with a barrier and a sum on each. Returns how many sums are wrong.
int add(Communicators& communicators, MPI_Comm original, int count) {
  int ranks = 0;
  MPI_Comm_size(original, &ranks);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Comm_dup(original, &duplicate);
    communicators.push_back(duplicate);
    MPI_Barrier(duplicate);
    const double value = i + 0.5;
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, duplicate);
    wrong += sum != ranks * value ? 1 : 0;
  }
  return wrong;
}

/// The latest ones, last first.
void free_latest(Communicators& communicators, std::size_t count) {
  for (; count > 0; --count) {
    MPI_Comm_free(&communicators.back());
    communicators.pop_back();
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Communicators communicators;
  int wrong = add(communicators, MPI_COMM_SELF, 150);
  std::reverse(communicators.begin(), communicators.end());  // those with entries go first
  free_latest(communicators, 75);
  wrong += add(communicators, MPI_COMM_WORLD, 40);
  wrong += add(communicators, MPI_COMM_SELF, 150);
  free_latest(communicators, communicators.size());
  if (wrong > 0) std::fprintf(stderr, "many_communicators: %d sums are wrong\n", wrong);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return wrong > 0 ? 1 : 0;
}
