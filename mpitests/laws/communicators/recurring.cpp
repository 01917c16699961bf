// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Communicators of the same ranks follow each other, as where a program makes some in every time step: with many calls
// of all kinds on each, in which ranks wait for each other or not, and the last of which some have yet to make when
// others have freed it. Several of the same ranks live at the same time, and are freed in another order. All results
// are right: whole numbers, which no order of sums changes.
#include <mpi.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

constexpr int steps = 6;
constexpr int calls = 60;
constexpr int longest = 5000;  // more than a page

/// What a rank gives in a call: its place in the vector, and more.
template <class Number>
std::vector<Number> vector_of(int rank, int call, int count) {
  std::vector<Number> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), static_cast<Number>(rank * 1000 + call));
  return values;
}

/// The sum of what the first so many ranks give.
template <class Number>
std::vector<Number> sum_of(int ranks, int call, int count) {
  std::vector<Number> sum(static_cast<std::size_t>(count));
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<Number> values = vector_of<Number>(rank, call, count);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
  }
  return sum;
}

class Calls {
 public:
  explicit Calls(MPI_Comm communicator)
      : communicator_(communicator), rank_(rank_in(communicator)), size_(size_of(communicator)) {}

  /// Of integers and of floating-point numbers, whose order of sums some libraries change in the course of a run.
  void reduce_and_scan(int call, int count) const {
    reduce_and_scan<std::int64_t>(call, count, MPI_INT64_T);
    reduce_and_scan<double>(call, count, MPI_DOUBLE);
  }

  void broadcast(int call, int count) const {
    const int root = call % size_;
    std::vector<double> values = vector_of<double>(rank_ == root ? root : rank_ + 1, call, count);
    MPI_Bcast(values.data(), count, MPI_DOUBLE, root, communicator_);
    require(values == vector_of<double>(root, call, count), "a broadcast is right");
  }

  void gather(int call) const {
    const double own = rank_ + 10.0 * call;
    std::vector<double> all(static_cast<std::size_t>(size_));
    MPI_Gather(&own, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, call % size_, communicator_);
    for (int rank = 0; rank_ == call % size_ && rank < size_; ++rank)
      require(all[static_cast<std::size_t>(rank)] == rank + 10.0 * call, "a gather is right");
  }

 private:
  template <class Number>
  void reduce_and_scan(int call, int count, MPI_Datatype type) const {
    const std::vector<Number> own = vector_of<Number>(rank_, call, count);
    std::vector<Number> result(own.size());
    MPI_Allreduce(own.data(), result.data(), count, type, MPI_SUM, communicator_);
    require(result == sum_of<Number>(size_, call, count), "an allreduce is right");
    const int root = call % size_;
    MPI_Reduce(own.data(), result.data(), count, type, MPI_SUM, root, communicator_);
    if (rank_ == root) require(result == sum_of<Number>(size_, call, count), "a reduce is right");
    MPI_Scan(own.data(), result.data(), count, type, MPI_SUM, communicator_);
    require(result == sum_of<Number>(rank_ + 1, call, count), "a scan is right");
  }

  MPI_Comm communicator_;
  int rank_;
  int size_;
};

void call_on(MPI_Comm communicator, int step) {
  const Calls on(communicator);
  for (int call = 0; call < calls; ++call) {
    on.reduce_and_scan(call, 1 + call % 3);
    on.gather(call);
    on.broadcast(call, 1 + step % 2 * 100);
    if (call % 20 == 19) on.reduce_and_scan(call, longest);
  }
  for (int call = 0; call < 3; ++call) on.broadcast(call, 100);  // nobody waits for those who have yet to come
}

MPI_Comm ranks_in_order(bool reversed) {
  MPI_Comm communicator = MPI_COMM_NULL;
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, 0, reversed ? -rank : rank, &communicator);
  return communicator;
}

}  // namespace

void run() {
  for (int step = 0; step < steps; ++step) {
    MPI_Comm one = ranks_in_order(step % 3 == 2);
    call_on(one, step);
    MPI_Comm other = ranks_in_order(false);
    call_on(other, step);
    call_on(one, step);
    MPI_Comm_free(step % 2 == 0 ? &one : &other);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, 0, &half);
    call_on(half, step);
    MPI_Comm_free(&half);
    MPI_Comm_free(step % 2 == 0 ? &other : &one);
  }
}

}  // namespace airamp::laws
