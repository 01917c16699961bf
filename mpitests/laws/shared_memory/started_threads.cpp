// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_started_threads: one thread starts allreduces, and others complete them meanwhile.
#include <mpi.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

struct Sum {
  int round = 0;
  std::array<double, 3> values{};
  std::array<double, 3> result{};
  MPI_Request request = MPI_REQUEST_NULL;
};

void start(Sum& sum, int round, MPI_Comm communicator) {
  sum.round = round;
  sum.values.fill(1.0 * round * (rank_in(communicator) + 1));
  MPI_Iallreduce(sum.values.data(), sum.result.data(), static_cast<int>(sum.values.size()), MPI_DOUBLE, MPI_SUM,
                 communicator, &sum.request);
}

void complete(Sum& sum, int ranks) {
  MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
  for (const double value : sum.result) require(value == sum.round * ranks * (ranks + 1) / 2.0, "a sum");
}

/// What has been started and nobody has taken yet.
class Queue {
 public:
  void put(Sum* sum) {
    const std::lock_guard lock(mutex_);
    started_.push_back(sum);
    changed_.notify_all();  // of the end all have to know
  }
  /// nullptr: there will be no more.
  Sum* take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !started_.empty(); });
    Sum* const sum = started_.front();
    if (sum != nullptr) started_.pop_front();
    return sum;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Sum*> started_;
};

void run(MPI_Comm communicator) {
  constexpr int rounds = 200;
  const int ranks = size_of(communicator);
  for (int round = 0; round < 40; ++round) {  // until they go through shared memory
    Sum sum;
    start(sum, round, communicator);
    complete(sum, ranks);
  }
  MPI_Barrier(communicator);
  Queue queue;
  std::list<Sum> sums;
  const auto complete_all = [&] {
    while (Sum* const sum = queue.take()) complete(*sum, ranks);
  };
  std::thread one(complete_all);
  std::thread other(complete_all);
  for (int round = 0; round < rounds; ++round) {
    start(sums.emplace_back(), round, communicator);
    queue.put(&sums.back());
    if (round % 50 == 49) MPI_Barrier(communicator);
  }
  queue.put(nullptr);
  one.join();
  other.join();
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided == MPI_THREAD_MULTIPLE) {
    airamp::laws::run(MPI_COMM_WORLD);
  } else {
    std::puts("this MPI library has no MPI_THREAD_MULTIPLE: skipped");
  }
  MPI_Finalize();
  return 0;
}
