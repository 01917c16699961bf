// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Threads that make collective calls at the same time, each on a communicator of its own with messages of its own size.
#include <mpi.h>

#include <array>
#include <thread>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/pola/threads_calls.hpp"

namespace airamp::traced {
namespace {

void call_often(MPI_Comm comm, int doubles) {
  const std::vector<double> in(static_cast<std::size_t>(doubles), 1.0);
  std::vector<double> out(in.size());
  for (int i = 0; i < calls_of_a_thread; ++i) {
    MPI_Allreduce(in.data(), out.data(), doubles, MPI_DOUBLE, MPI_SUM, comm);
  }
}

void run() {
  std::array<MPI_Comm, thread_count> comms{};
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<std::thread> threads;
  threads.reserve(thread_count);
  for (int i = 0; i < thread_count; ++i) {
    threads.emplace_back(call_often, comms[static_cast<std::size_t>(i)], doubles_of(i));
  }
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace airamp::traced

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  airamp::laws::require(provided == MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE");
  airamp::traced::run();
  MPI_Finalize();
  return 0;
}
