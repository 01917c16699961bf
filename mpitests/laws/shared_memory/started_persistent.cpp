// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_started_persistent: persistent allreduces and barriers, started again and again.
#include <mpi.h>
#ifdef AIRAMP_MPI_HAS_PERSISTENT_EXTENSION
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

#if defined(AIRAMP_MPI_HAS_PERSISTENT_EXTENSION)
#define PERSISTENT(X) MPIX_##X##_init
#elif defined(AIRAMP_MPI_HAS_PERSISTENT_COLLECTIVES)
#define PERSISTENT(X) MPI_##X##_init
#endif

namespace airamp::laws {

#ifdef PERSISTENT
namespace {

constexpr int starts_to_agree = 40;  // before they go through shared memory

/// A sum of whole numbers of a length, for all of its starts.
class Sum {
 public:
  Sum(std::size_t count, bool in_place, MPI_Comm communicator)
      : communicator_(communicator), in_place_(in_place), values_(count), result_(count + 1) {
    PERSISTENT(Allreduce)
    (in_place ? MPI_IN_PLACE : values_.data(), result_.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM,
     communicator, MPI_INFO_NULL, &request);
    handle_ = request;
  }
  ~Sum() {
    MPI_Request_free(&request);
    require(request == MPI_REQUEST_NULL, "MPI_Request_free frees a persistent request");
  }
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;

  MPI_Request request = MPI_REQUEST_NULL;

  void fill(int round) {
    round_ = round;
    result_.assign(result_.size(), -1);
    std::vector<double>& given = in_place_ ? result_ : values_;
    for (std::size_t i = 0; i < values_.size(); ++i) given[i] = number(rank_in(communicator_), i);
  }
  void start(int round) {
    fill(round);
    MPI_Start(&request);
  }
  void check() const {
    require(request == handle_, "a persistent request stays");
    for (std::size_t i = 0; i < values_.size(); ++i) {
      double expected = 0;
      for (int other = 0; other < size_of(communicator_); ++other) expected += number(other, i);
      require(result_[i] == expected, "a sum of all contributions to this start");
    }
    require(result_.back() == -1, "nothing behind the result");
  }
  void complete() {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check();
  }

 private:
  double number(int rank, std::size_t i) const { return 1003.0 * (rank + 1) + 101.0 * round_ + static_cast<double>(i); }

  MPI_Comm communicator_;
  bool in_place_;
  std::vector<double> values_;
  std::vector<double> result_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  int round_ = 0;
};

/// An inactive request is complete, whatever one asks of it.
void is_inactive(Sum& sum) {
  int flag = 0;
  MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
  MPI_Test(&sum.request, &flag, MPI_STATUS_IGNORE);
  require(flag != 0, "MPI_Test of an inactive request");
  flag = 0;
  MPI_Request_get_status(sum.request, &flag, MPI_STATUS_IGNORE);
  require(flag != 0, "MPI_Request_get_status of an inactive request");
  int index = 0;
  MPI_Waitany(1, &sum.request, &index, MPI_STATUS_IGNORE);
  require(index == MPI_UNDEFINED, "MPI_Waitany of inactive requests");
}

void again_and_again(MPI_Comm communicator) {
  Sum short_one(1, false, communicator);
  Sum longer(100, false, communicator);
  Sum in_place(7, true, communicator);
  Sum too_long(5000, false, communicator);
  MPI_Request barrier = MPI_REQUEST_NULL;
  PERSISTENT(Barrier)(communicator, MPI_INFO_NULL, &barrier);
  std::array<Sum*, 4> sums = {&short_one, &longer, &in_place, &too_long};
  std::mt19937 own(static_cast<unsigned>(rank_in(communicator)));
  for (int round = 0; round < 3 * starts_to_agree; ++round) {
    for (Sum* const sum : sums) sum->start(round);
    MPI_Start(&barrier);
    std::vector<std::size_t> order(sums.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), own);
    for (const std::size_t i : order) sums[i]->complete();
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    if (round % starts_to_agree == starts_to_agree - 1) MPI_Barrier(communicator);
    if (round % 10 == 9) is_inactive(short_one);
  }
  for (int round = 0; round < 40; ++round) {  // all at once
    for (Sum* const sum : sums) sum->fill(round);
    std::array<MPI_Request, 5> requests = {short_one.request, barrier, longer.request, in_place.request,
                                           too_long.request};
    const auto count = static_cast<int>(requests.size());
    MPI_Startall(count, requests.data());
    if (round % 2 == 0) {
      MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
    } else {
      for (int left = count; left > 0; --left) {
        int index = MPI_UNDEFINED;
        MPI_Waitany(count, requests.data(), &index, MPI_STATUS_IGNORE);
        require(index >= 0 && index < count, "each is complete once");
      }
      int index = 0;
      MPI_Waitany(count, requests.data(), &index, MPI_STATUS_IGNORE);
      require(index == MPI_UNDEFINED, "then none is active any more");
    }
    for (const Sum* const sum : sums) sum->check();
  }
  MPI_Request_free(&barrier);
}

}  // namespace

void run() {
  on_communicators([&](MPI_Comm communicator) {
    again_and_again(communicator);
    again_and_again(communicator);
  });
}
#else
void run() {}
#endif

}  // namespace airamp::laws
