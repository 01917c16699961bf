// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// complex_sums: sums of complex numbers on device buffers, of which GPUs add the parts, by every reduction, started
// ones as well; some on addresses that are aligned to the parts alone. Products are the MPI library's.
#include <complex>
#include <cstring>
#include <vector>

#include "mpitests/fake_device/checked_call/buffer.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

template <class Real>
MPI_Datatype type_of() {
  return sizeof(Real) == sizeof(float) ? MPI_C_FLOAT_COMPLEX : MPI_C_DOUBLE_COMPLEX;
}

/// Vectors of `all` numbers, of which some calls give or take a part.
template <class Real>
class Sum {
 public:
  using Number = std::complex<Real>;

  Sum(std::size_t all, int round)
      : all_(all),
        round_(round),
        send_(Place::device, bytes(), static_cast<std::size_t>(round % 2) * sizeof(Real)),
        receive_(Place::device, bytes(), static_cast<std::size_t>(round / 2 % 2) * sizeof(Real)) {
    for (std::size_t i = 0; i < all_; ++i) put(send_, i, number(rank_in(), i));
  }

  const void* given() const { return send_.data(); }
  void* taken() const { return receive_.data(); }

  /// That the first `count` are the sums over so many ranks from element `first` on, and nothing else was written.
  void check(const char* what, std::size_t first, std::size_t count, int ranks) const {
    for (std::size_t i = 0; i < count; ++i) {
      Number expected{};  // of whole numbers: exact
      for (int rank = 0; rank < ranks; ++rank) expected += number(rank, first + i);
      Number seen;
      std::memcpy(&seen, receive_.host() + i * sizeof seen, sizeof seen);
      require(seen == expected, what);
    }
    for (std::size_t i = count * sizeof(Number); i < bytes(); ++i) require(receive_.host()[i] == Buffer::pattern, what);
    require(receive_.guards_intact() && send_.guards_intact(), "nothing beside the buffers is written");
  }

  void clear() const { std::memset(receive_.host(), static_cast<int>(Buffer::pattern), bytes()); }

 private:
  std::size_t bytes() const { return all_ * sizeof(Number); }
  Number number(int rank, std::size_t i) const {
    const auto real = static_cast<Real>(1000 * (rank + 1) + round_);
    return {real, static_cast<Real>(i % 4093) - 7 * static_cast<Real>(rank)};
  }
  static void put(const Buffer& to, std::size_t i, const Number& value) {
    std::memcpy(to.host() + i * sizeof value, &value, sizeof value);
  }

  std::size_t all_;
  int round_;
  Buffer send_;
  Buffer receive_;
};

template <class Real>
void add(std::size_t count, int round) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const MPI_Datatype type = type_of<Real>();
  const int ranks = size_of();
  const int rank = rank_in();
  const int length = static_cast<int>(count);
  const Sum<Real> sum(count * static_cast<std::size_t>(ranks), round);

  MPI_Allreduce(sum.given(), sum.taken(), length, type, MPI_SUM, comm);
  sum.check("an allreduce", 0, count, ranks);
  sum.clear();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(sum.given(), sum.taken(), length, type, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  sum.check("an allreduce that was started", 0, count, ranks);
  sum.clear();
  const int root = round % ranks;
  MPI_Reduce(sum.given(), sum.taken(), length, type, MPI_SUM, root, comm);
  sum.check("a reduce", 0, rank == root ? count : 0, ranks);
  sum.clear();
  MPI_Reduce_scatter_block(sum.given(), sum.taken(), length, type, MPI_SUM, comm);
  sum.check("a reduce_scatter_block", count * static_cast<std::size_t>(rank), count, ranks);
  sum.clear();
  std::vector<int> lengths(static_cast<std::size_t>(ranks), length);
  lengths.back() = 0;  // the last rank gets nothing
  MPI_Reduce_scatter(sum.given(), sum.taken(), lengths.data(), type, MPI_SUM, comm);
  sum.check("a reduce_scatter", count * static_cast<std::size_t>(rank), rank == ranks - 1 ? 0 : count, ranks);
  sum.clear();
  MPI_Scan(sum.given(), sum.taken(), length, type, MPI_SUM, comm);
  sum.check("a scan", 0, count, rank + 1);
}

/// (1 + i)^ranks, whose parts are not the products of the parts.
void multiply() {
  const Buffer send(Place::device, sizeof(std::complex<double>));
  const Buffer receive(Place::device, sizeof(std::complex<double>));
  const std::complex<double> one(1, 1);
  std::memcpy(send.host(), &one, sizeof one);
  MPI_Allreduce(send.data(), receive.data(), 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  std::complex<double> expected(1, 0);
  for (int rank = 0; rank < size_of(); ++rank) expected *= one;
  std::complex<double> seen;
  std::memcpy(&seen, receive.host(), sizeof seen);
  require(seen == expected, "a product");
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  for (int round = 0; round < 48; ++round) {
    for (const std::size_t count : {1U, 37U, 4001U}) {
      add<float>(count, round);
      add<double>(count, round);
    }
    multiply();
  }
  MPI_Finalize();
  return 0;
}
