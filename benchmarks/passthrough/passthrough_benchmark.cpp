// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// passthrough_benchmark: the time of an 8-byte MPI_Allreduce, or of an MPI_Wait that has nothing to wait for, in
// nanoseconds on stdout. Every call is one that AIRamp passes through; scripts/measure-passthrough.sh compares runs
// with and without the library.

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using Call = void (*)(MPI_Comm);

void allreduce(MPI_Comm communicator) {
  double in = 1.0;
  double out = 0.0;
  MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, communicator);
}

void wait_for_nothing(MPI_Comm /*communicator*/) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Nanoseconds of one call, the mean over a batch.
double batch(Call call, MPI_Comm communicator, int calls) {
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; ++i) call(communicator);
  return (MPI_Wtime() - start) / calls * 1e9;
}

// The median of the batches, in nanoseconds.
double median(Call call, MPI_Comm communicator, int batches, int calls) {
  batch(call, communicator, calls);
  std::vector<double> nanoseconds(static_cast<std::size_t>(batches));
  for (double& value : nanoseconds) value = batch(call, communicator, calls);
  const auto middle = nanoseconds.begin() + batches / 2;
  std::nth_element(nanoseconds.begin(), middle, nanoseconds.end());
  return *middle;
}

}  // namespace

// What CLI11 may throw beyond a mistake on the command line may well end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  bool self = false;
  bool wait = false;
  int batches = 51;
  int calls = 20000;
  CLI::App app("Times an MPI call; prints the median of the batches in nanoseconds.");
  app.add_flag("--self", self, "on MPI_COMM_SELF instead of MPI_COMM_WORLD");
  app.add_flag("--wait", wait, "MPI_Wait for MPI_REQUEST_NULL instead of an MPI_Allreduce of 8 bytes");
  app.add_option("--batches", batches, "measurements")->check(CLI::Range(1, 1000000));
  app.add_option("--calls", calls, "calls in each measurement")->check(CLI::Range(1, 1000000000));
  CLI11_PARSE(app, argc, argv);

  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double nanoseconds =
      median(wait ? wait_for_nothing : allreduce, self ? MPI_COMM_SELF : MPI_COMM_WORLD, batches, calls);
  if (rank == 0) std::printf("%.2f\n", nanoseconds);
  MPI_Finalize();
  return 0;
}
