// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/laws/halves.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "mpitests/differential/random.hpp"
#include "testing/half.hpp"

namespace airamp::laws {
namespace {

using testing::float16_from_float;
using testing::float_from_float16;

void add_halves(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(*length); ++i) {
    std::uint16_t a = 0;
    std::uint16_t b = 0;
    std::memcpy(&a, static_cast<const char*>(in) + 2 * i, 2);
    std::memcpy(&b, static_cast<char*>(inout) + 2 * i, 2);
    b = float16_from_float(float_from_float16(a) + float_from_float16(b));
    std::memcpy(static_cast<char*>(inout) + 2 * i, &b, 2);
  }
}

// Squares of a difference and of the truth, added up.
struct Distance {
  double error = 0;
  double norm = 0;
  void add(double got, double truth) {
    error += (got - truth) * (got - truth);
    norm += truth * truth;
  }
  double relative() const { return error == 0 ? 0 : std::sqrt(error / norm); }
};

}  // namespace

HalfSum::HalfSum(Name name) {
  MPI_Type_contiguous(2, MPI_BYTE, &type_);
  MPI_Type_commit(&type_);
  if (name == Name::float16) MPI_Type_set_name(type_, "float16");
  MPI_Op_create(add_halves, 1, &op_);
}

HalfSum::~HalfSum() {
  MPI_Op_free(&op_);
  MPI_Type_free(&type_);
}

std::vector<std::uint16_t> halves(std::size_t count, int rank, int round) {
  differential::Random random(static_cast<std::uint64_t>(rank) * 1000003 + static_cast<std::uint64_t>(round));
  std::vector<std::uint16_t> result(count);
  for (std::uint16_t& value : result) value = float16_from_float(static_cast<float>(random.below(999)) - 499.0F);
  return result;
}

double error_of_sum(const std::vector<std::uint16_t>& got, int ranks, int round) {
  std::vector<double> truth(got.size(), 0.0);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<std::uint16_t> one = halves(got.size(), rank, round);
    for (std::size_t i = 0; i < got.size(); ++i) truth[i] += static_cast<double>(float_from_float16(one[i]));
  }
  Distance distance;
  for (std::size_t i = 0; i < got.size(); ++i) distance.add(static_cast<double>(float_from_float16(got[i])), truth[i]);
  return distance.relative();
}

double error_of_gather(const std::vector<std::uint16_t>& got, int ranks, int round) {
  const std::size_t count = got.size() / static_cast<std::size_t>(ranks);
  Distance distance;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<std::uint16_t> one = halves(count, rank, round);
    for (std::size_t i = 0; i < count; ++i)
      distance.add(static_cast<double>(float_from_float16(got[static_cast<std::size_t>(rank) * count + i])),
                   static_cast<double>(float_from_float16(one[i])));
  }
  return distance.relative();
}

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

double sum_halves(const HalfSum& half, MPI_Comm communicator, std::size_t count, int round) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  const std::vector<std::uint16_t> send = halves(count, rank, round);
  std::vector<std::uint16_t> receive(count);
  require(MPI_Allreduce(send.data(), receive.data(), static_cast<int>(count), half.type(), half.op(), communicator) ==
              MPI_SUCCESS,
          "return code of an Allreduce of halves");
  const double error = error_of_sum(receive, ranks, round);
  require(error < compressed_error, "sum of halves");
  return error;
}

}  // namespace airamp::laws
