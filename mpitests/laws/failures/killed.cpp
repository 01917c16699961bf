// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// killed [abort|shared_memory|started|ordered_messages]: the last rank is killed, or with "abort" ends the job by
// MPI_Abort, in the middle of its collectives: when they are learnt, and receives wait for the next one. With
// "shared_memory" it is killed wherever it is in collectives that go through shared memory, with "started" in
// nonblocking ones, with "ordered_messages" in sums whose order is promised.
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

bool is_last() { return rank_in(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1; }

void die_between(bool aborts) {
  const HalfSum half;
  for (int round = 0; round < 60; ++round) {
    if (round == 50 && is_last()) {
      if (aborts) MPI_Abort(MPI_COMM_WORLD, 3);
      std::raise(SIGKILL);
    }
    sum_halves(half, MPI_COMM_WORLD, 100000, round);
  }
}

void die_soon() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::raise(SIGKILL);
  }).detach();
}

constexpr int rounds_before = 200;

/// Never returns.
void die_between_start_and_wait() {
  constexpr int count = 7;
  std::vector<int> values(count, 1);
  std::vector<int> sums(count);
  for (int round = 0;; ++round) {
    if (round == rounds_before && is_last()) die_soon();
    if (round == rounds_before / 2) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(values.data(), sums.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(sums == std::vector<int>(count, size_of(MPI_COMM_WORLD)), "MPI_Iallreduce");
  }
}

/// Never returns.
template <class Number>
void die_inside(MPI_Datatype type) {
  std::vector<Number> values(10000, 1);
  std::vector<Number> sums(values.size());
  for (int round = 0;; ++round) {
    if (round == rounds_before && is_last()) die_soon();
    MPI_Allreduce(values.data(), sums.data(), static_cast<int>(sums.size()), type, MPI_SUM, MPI_COMM_WORLD);
    require(sums == std::vector<Number>(sums.size(), size_of(MPI_COMM_WORLD)), "MPI_Allreduce");
  }
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const char* const how = argc > 1 ? argv[1] : "";
  if (std::strcmp(how, "shared_memory") == 0) airamp::laws::die_inside<int>(MPI_INT);
  if (std::strcmp(how, "started") == 0) airamp::laws::die_between_start_and_wait();
  if (std::strcmp(how, "ordered_messages") == 0) airamp::laws::die_inside<double>(MPI_DOUBLE);
  airamp::laws::die_between(std::strcmp(how, "abort") == 0);
  MPI_Finalize();
  return 0;
}
