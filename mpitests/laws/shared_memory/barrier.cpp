// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_barrier: nobody leaves a barrier before all have come, whoever is late; and who waits in one still
// completes the messages of others.
#include <chrono>
#include <thread>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

/// Counts who has come, in memory of rank 0 that all reach.
class Arrivals {
 public:
  explicit Arrivals(MPI_Comm communicator) : communicator_(communicator) {
    const MPI_Aint bytes = rank_in(communicator) == 0 ? sizeof(int) : 0;
    int* own = nullptr;
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, communicator, &own, &window_);
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &size, &unit, &counter_);
    if (rank_in(communicator) == 0) __atomic_store_n(counter_, 0, __ATOMIC_SEQ_CST);
    MPI_Barrier(communicator);
  }
  ~Arrivals() { MPI_Win_free(&window_); }
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  /// One barrier, to which rank `late` comes late.
  void meet(int late) {
    ++round_;
    if (rank_in(communicator_) == late) std::this_thread::sleep_for(std::chrono::microseconds(50));
    __atomic_fetch_add(counter_, 1, __ATOMIC_RELAXED);
    MPI_Barrier(communicator_);
    require(__atomic_load_n(counter_, __ATOMIC_RELAXED) >= round_ * size_of(communicator_), "all have come");
  }

 private:
  MPI_Comm communicator_;
  MPI_Win window_ = MPI_WIN_NULL;
  int* counter_ = nullptr;
  int round_ = 0;
};

/// A message that is too long to be sent before the receiver takes part. The receiver is in the barrier by then.
void send_to_who_waits(MPI_Comm communicator) {
  constexpr int count = 1 << 20;
  const int rank = rank_in(communicator);
  std::vector<int> numbers(count, rank);
  MPI_Request request = MPI_REQUEST_NULL;
  if (size_of(communicator) == 1) return;
  if (rank == 0) MPI_Irecv(numbers.data(), count, MPI_INT, size_of(communicator) - 1, 0, communicator, &request);
  if (rank == size_of(communicator) - 1) MPI_Send(numbers.data(), count, MPI_INT, 0, 0, communicator);
  MPI_Barrier(communicator);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) require(numbers.back() == size_of(communicator) - 1, "the message");
}

}  // namespace

void run() {
  on_communicators([](MPI_Comm communicator) {
    Arrivals arrivals(communicator);
    for (int i = 0; i < 300; ++i) arrivals.meet(i % size_of(communicator));
    for (int i = 0; i < 10; ++i) send_to_who_waits(communicator);
  });
}

}  // namespace airamp::laws
