// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// passthrough_benchmark: the time of an 8-byte MPI_Allreduce, in nanoseconds on stdout. Every call is one that AIRamp
// passes through; scripts/measure-passthrough.sh compares runs with and without the library.

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

// Nanoseconds of one call, the mean over a batch.
double batch(MPI_Comm communicator, int calls) {
  double in = 1.0;
  double out = 0.0;
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; ++i) MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, communicator);
  return (MPI_Wtime() - start) / calls * 1e9;
}

// The median of the batches, in nanoseconds.
double median(MPI_Comm communicator, int batches, int calls) {
  batch(communicator, calls);
  std::vector<double> nanoseconds(static_cast<std::size_t>(batches));
  for (double& value : nanoseconds) value = batch(communicator, calls);
  const auto middle = nanoseconds.begin() + batches / 2;
  std::nth_element(nanoseconds.begin(), middle, nanoseconds.end());
  return *middle;
}

}  // namespace

// What CLI11 may throw beyond a mistake on the command line may well end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  bool self = false;
  int batches = 51;
  int calls = 20000;
  CLI::App app("Times an 8-byte MPI_Allreduce; prints the median of the batches in nanoseconds.");
  app.add_flag("--self", self, "on MPI_COMM_SELF instead of MPI_COMM_WORLD");
  app.add_option("--batches", batches, "measurements")->check(CLI::Range(1, 1000000));
  app.add_option("--calls", calls, "calls in each measurement")->check(CLI::Range(1, 1000000000));
  CLI11_PARSE(app, argc, argv);

  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double nanoseconds = median(self ? MPI_COMM_SELF : MPI_COMM_WORLD, batches, calls);
  if (rank == 0) std::printf("%.2f\n", nanoseconds);
  MPI_Finalize();
  return 0;
}
