// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// started_persistent: persistent allreduces of GPU buffers, started again and again.
#include <mpi.h>
#ifdef AIRAMP_MPI_HAS_PERSISTENT_EXTENSION
#include <mpi-ext.h>
#endif

#include <array>
#include <cstddef>
#include <cstring>

#include "mpitests/fake_device/checked_call/buffer.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"

#if defined(AIRAMP_MPI_HAS_PERSISTENT_EXTENSION)
#define PERSISTENT(X) MPIX_##X##_init
#elif defined(AIRAMP_MPI_HAS_PERSISTENT_COLLECTIVES)
#define PERSISTENT(X) MPI_##X##_init
#endif

namespace airamp::device_tests {

#ifdef PERSISTENT
namespace {

constexpr int starts_to_agree = 40;  // before they go through memory that the ranks share

/// A sum of whole numbers of a length, for all of its starts.
class Sum {
 public:
  Sum(std::size_t count, bool in_place, Place place)
      : count_(count), in_place_(in_place), send_(place, bytes()), receive_(place, bytes()) {
    PERSISTENT(Allreduce)
    (in_place ? MPI_IN_PLACE : send_.data(), receive_.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM,
     MPI_COMM_WORLD, MPI_INFO_NULL, &request);
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
    std::memset(receive_.host(), static_cast<int>(Buffer::pattern), bytes());
    std::byte* const given = (in_place_ ? receive_ : send_).host();
    for (std::size_t i = 0; i < count_; ++i) {
      const double value = number(rank_in(), i);
      std::memcpy(given + i * sizeof value, &value, sizeof value);
    }
  }
  void check() const {
    require(request == handle_, "a persistent request stays");
    for (std::size_t i = 0; i < count_; ++i) {
      double expected = 0;
      for (int rank = 0; rank < size_of(); ++rank) expected += number(rank, i);
      require(std::memcmp(receive_.host() + i * sizeof expected, &expected, sizeof expected) == 0,
              "a sum of all contributions to this start");
    }
    require(receive_.guards_intact() && send_.guards_intact(), "nothing beside the buffers is written");
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(double); }
  double number(int rank, std::size_t i) const { return 1003.0 * (rank + 1) + 101.0 * round_ + static_cast<double>(i); }

  std::size_t count_;
  bool in_place_;
  Buffer send_;
  Buffer receive_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  int round_ = 0;
};

void again_and_again() {
  Sum short_one(7, false, Place::device);
  Sum in_place(100, true, Place::device);
  Sum longer(5000, false, Place::device);
  Sum longest(60000, true, Place::device);
  Sum on_host(7, false, Place::host);
  const std::array<Sum*, 5> sums = {&short_one, &in_place, &longer, &longest, &on_host};
  for (int round = 0; round < 3 * starts_to_agree; ++round) {
    for (Sum* const sum : sums) {
      sum->fill(round);
      MPI_Start(&sum->request);
    }
    fake_gpu_keep_default_stream_busy(true);
    for (Sum* const sum : sums) MPI_Wait(&sum->request, MPI_STATUS_IGNORE);
    fake_gpu_keep_default_stream_busy(false);
    for (const Sum* const sum : sums) sum->check();
    if (round % starts_to_agree == starts_to_agree - 1) MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int round = 0; round < 20; ++round) {  // all at once
    std::array<MPI_Request, sums.size()> requests{};
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i]->fill(round);
      requests[i] = sums[i]->request;
    }
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const Sum* const sum : sums) sum->check();
  }
}

}  // namespace

void run_all() {
  again_and_again();
  again_and_again();
}
#else
void run_all() {}
#endif

}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all();
  MPI_Finalize();
  return 0;
}
