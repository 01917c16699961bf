// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// MPI_THREAD_MULTIPLE: two threads make collectives on device buffers on a communicator each, at the same time, and
// then one of them alone.
#include <cstdio>
#include <thread>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

void work(const Vocabulary& vocabulary, MPI_Comm communicator, int first_round) {
  for (int round = first_round; round < first_round + 12; ++round) {
    for (const Kind kind : every_kind) {
      run(call_of(vocabulary, kind, Format::float16, 200, round), communicator);
      run(call_of(vocabulary, kind, Format::float64, 20000, round), communicator);
    }
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) {
    std::puts("this MPI library has no MPI_THREAD_MULTIPLE: skipped");
  } else {
    const Vocabulary vocabulary;
    MPI_Comm communicators[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    for (MPI_Comm& communicator : communicators) MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    std::thread other(work, std::cref(vocabulary), communicators[0], 0);
    work(vocabulary, communicators[1], 100);
    other.join();
    work(vocabulary, communicators[1], 200);
    for (MPI_Comm& communicator : communicators) MPI_Comm_free(&communicator);
  }
  MPI_Finalize();
  return 0;
}
