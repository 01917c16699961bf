// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// passthrough_benchmark: the time of an 8-byte MPI_Allreduce, of an MPI_Wait that has nothing to wait for, of an
// MPI_Testany of what has not come, or of a message there and back, in nanoseconds on stdout. Every call is one that
// AIRamp passes through; scripts/measure-passthrough.sh compares runs with and without the library.

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

// For a message that nobody sends.
MPI_Request in_vain = MPI_REQUEST_NULL;

void test_in_vain(MPI_Comm communicator) {
  static int value = 0;
  if (in_vain == MPI_REQUEST_NULL) MPI_Irecv(&value, 1, MPI_INT, 0, 1, communicator, &in_vain);
  int index = 0;
  int flag = 0;
  MPI_Testany(1, &in_vain, &index, &flag, MPI_STATUS_IGNORE);
}

// Between the first two ranks.
void there_and_back(MPI_Comm communicator) {
  static const int rank = [communicator] {
    int own = 0;
    MPI_Comm_rank(communicator, &own);
    return own;
  }();
  int value = 0;
  if (rank == 0) {
    MPI_Send(&value, 1, MPI_INT, 1, 0, communicator);
    MPI_Recv(&value, 1, MPI_INT, 1, 0, communicator, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, communicator, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 0, communicator);
  }
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
  Call call = allreduce;
  int batches = 51;
  int calls = 20000;
  CLI::App app("Times an MPI call; prints the median of the batches in nanoseconds.");
  app.add_flag("--self", self, "on MPI_COMM_SELF instead of MPI_COMM_WORLD");
  const auto add_call = [&](const char* name, Call other, const char* help) {
    app.add_flag_callback(
        name, [&call, other] { call = other; }, help);
  };
  add_call("--wait", wait_for_nothing, "MPI_Wait for MPI_REQUEST_NULL instead of an MPI_Allreduce of 8 bytes");
  add_call("--test", test_in_vain, "MPI_Testany of a message that does not come instead");
  add_call("--messages", there_and_back, "MPI_Send and MPI_Recv between two ranks, there and back, instead");
  app.add_option("--batches", batches, "measurements")->check(CLI::Range(1, 1000000));
  app.add_option("--calls", calls, "calls in each measurement")->check(CLI::Range(1, 1000000000));
  CLI11_PARSE(app, argc, argv);

  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (int ranks = 0; call == there_and_back && (MPI_Comm_size(MPI_COMM_WORLD, &ranks), self || ranks < 2)) {
    std::fprintf(stderr, "passthrough_benchmark: --messages needs two ranks, and no --self\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const double nanoseconds = median(call, self ? MPI_COMM_SELF : MPI_COMM_WORLD, batches, calls);
  if (in_vain != MPI_REQUEST_NULL) {
    MPI_Cancel(&in_vain);
    MPI_Wait(&in_vain, MPI_STATUS_IGNORE);
  }
  if (rank == 0) std::printf("%.2f\n", nanoseconds);
  MPI_Finalize();
  return 0;
}
