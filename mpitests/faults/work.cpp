// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/faults/work.hpp"

#include <algorithm>
#include <cstdint>

#include "mpitests/faults/verdict.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "testing/half.hpp"

namespace airamp::faults {
namespace {

/// With the data's first words, in one chunk of shared memory, and in many.
constexpr int lengths[] = {1, 300, 20000};
constexpr int longest = 20000;

template <class Value>
void fill(const Memory& memory, int length, Value value) {
  std::fill_n(memory.values<Value>(), length, value);
}

template <class Value>
void require_filled(const Memory& memory, int length, Value value, const char* what) {
  const Value* values = memory.values<Value>();
  require(std::all_of(values, values + length, [=](Value got) { return got == value; }), what);
}

/// A power of two, another one for each round.
int power(int number) { return 1 << (number % 3); }

}  // namespace

Work::Work(MPI_Comm communicator)
    : communicator_(communicator),
      rank_(laws::rank_in(communicator)),
      ranks_(laws::size_of(communicator)),
      send_(longest * sizeof(double)),
      receive_(static_cast<std::size_t>(ranks_) * longest * sizeof(double)) {}

int Work::sum_of_integers(int length, int number) {
  for (int i = 0; i < length; ++i) send_.values<int>()[i] = i + rank_ + number;
  fill(receive_, length, -1);
  const int error = MPI_Allreduce(send_.data(), receive_.data(), length, MPI_INT, MPI_SUM, communicator_);
  for (int i = 0; error == MPI_SUCCESS && i < length; ++i) {
    require(receive_.values<int>()[i] == (i + number) * ranks_ + ranks_ * (ranks_ - 1) / 2, "MPI_Allreduce, integers");
  }
  return error;
}

int Work::sum_of_numbers(int length, int number) {
  fill<double>(receive_, length, power(number));
  const int error = MPI_Allreduce(MPI_IN_PLACE, receive_.data(), length, MPI_DOUBLE, MPI_SUM, communicator_);
  if (error == MPI_SUCCESS) require_filled<double>(receive_, length, power(number) * ranks_, "MPI_Allreduce, numbers");
  return error;
}

int Work::sum_of_halves(int length, int number) {
  fill(send_, length, testing::float16_from_float(static_cast<float>(power(number))));
  fill(receive_, length, std::uint16_t{0});
  const int error = MPI_Allreduce(send_.data(), receive_.data(), length, half_.type(), half_.op(), communicator_);
  const auto sum = static_cast<float>(power(number) * ranks_);
  if (error == MPI_SUCCESS) require_filled(receive_, length, testing::float16_from_float(sum), "MPI_Allreduce, halves");
  return error;
}

int Work::bcast(int length, int number) {
  const int root = number % ranks_;
  fill(receive_, length, rank_ == root ? number : -1);
  const int error = MPI_Bcast(receive_.data(), length, MPI_INT, root, communicator_);
  if (error == MPI_SUCCESS) require_filled(receive_, length, number, "MPI_Bcast");
  return error;
}

int Work::allgather(int length, int number) {
  fill(send_, length, number + rank_);
  fill(receive_, length * ranks_, -1);
  const int error = MPI_Allgather(send_.data(), length, MPI_INT, receive_.data(), length, MPI_INT, communicator_);
  for (int i = 0; error == MPI_SUCCESS && i < length * ranks_; ++i) {
    require(receive_.values<int>()[i] == number + i / length, "MPI_Allgather");
  }
  return error;
}

int Work::reduce(int length, int number) {
  const int root = (number + 1) % ranks_;
  fill(send_, length, number + rank_);
  fill(receive_, length, -1);
  const int error = MPI_Reduce(send_.data(), receive_.data(), length, MPI_INT, MPI_MAX, root, communicator_);
  if (error == MPI_SUCCESS && rank_ == root) require_filled(receive_, length, number + ranks_ - 1, "MPI_Reduce");
  return error;
}

int Work::round(int number) {
  using Collective = int (Work::*)(int, int);
  constexpr Collective collectives[] = {&Work::sum_of_integers, &Work::bcast,     &Work::sum_of_numbers,
                                        &Work::sum_of_halves,   &Work::allgather, &Work::reduce};
  for (const int length : lengths) {
    for (const Collective collective : collectives) {
      const int error = (this->*collective)(length, number);
      if (error != MPI_SUCCESS) return error;
    }
  }
  return MPI_Barrier(communicator_);
}

void Work::rounds(int rounds) {
  for (int number = 0; number < rounds; ++number) require(round(number) == MPI_SUCCESS, "a call without an error");
}

}  // namespace airamp::faults
