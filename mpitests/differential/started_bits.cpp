// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Random sums and products of floating-point numbers by MPI_Iallreduce, each made as any program does, and on a
// duplicate of the communicator by the MPI library alone, past AIRamp:
//   differential_started_bits [CALLS]
// Every bit of both results must be the same, on all ranks. Exit status 1 if one was not.
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "testing/mpi_functions.hpp"

namespace airamp::differential {
namespace {

constexpr std::int64_t calls_between_barriers = 40;  // in which it is settled how starts go

/// The same on all ranks.
struct Started {
  bool is_double;
  bool is_complex;
  MPI_Op op;
  int count;
};

Started draw(Random& random) {
  constexpr int counts[] = {1, 2, 3, 7, 13, 14, 50, 200, 900, 3000};
  const bool is_complex = random.chance(0.3);
  return {.is_double = random.chance(0.5),
          .is_complex = is_complex,
          .op = random.chance(0.7) || is_complex ? MPI_SUM : MPI_PROD,
          .count = counts[random.below(std::size(counts))]};
}

/// Of sizes far enough apart that each order of additions has digits of its own.
template <class Real>
std::vector<Real> draw_numbers(Random& own, int count) {
  std::vector<Real> numbers(static_cast<std::size_t>(count));
  for (Real& number : numbers)
    number = static_cast<Real>(std::ldexp(own.unit() - 0.5, static_cast<int>(own.below(20)) - 10));
  return numbers;
}

template <class Real>
bool is_same(const Started& call, MPI_Datatype type, Random& own, MPI_Comm ours, MPI_Comm native) {
  const std::vector<Real> given = draw_numbers<Real>(own, call.is_complex ? 2 * call.count : call.count);
  std::vector<Real> result(given.size());
  std::vector<Real> expected(given.size());
  const testing::MpiFunctions& library = testing::librarys_functions();
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Iallreduce(given.data(), result.data(), call.count, type, call.op, ours, &requests[0]);
  library.iallreduce(given.data(), expected.data(), call.count, type, call.op, native, &requests[1]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  library.wait(&requests[1], MPI_STATUS_IGNORE);
  return std::memcmp(result.data(), expected.data(), given.size() * sizeof(Real)) == 0;
}

int run(std::int64_t calls) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm ours = MPI_COMM_NULL;
  MPI_Comm native = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &ours);
  MPI_Comm_dup(MPI_COMM_WORLD, &native);
  Random alike(1);
  Random own(static_cast<std::uint64_t>(rank) + 2);
  std::int64_t different = 0;
  for (std::int64_t i = 0; i < calls; ++i) {
    const Started call = draw(alike);
    const MPI_Datatype doubles = call.is_complex ? MPI_C_DOUBLE_COMPLEX : MPI_DOUBLE;
    const MPI_Datatype floats = call.is_complex ? MPI_C_FLOAT_COMPLEX : MPI_FLOAT;
    const bool same = call.is_double ? is_same<double>(call, doubles, own, ours, native)
                                     : is_same<float>(call, floats, own, ours, native);
    if (!same && ++different < 5) {
      std::fprintf(stderr, "rank %d, call %lld: %d x %s%s, %s: other bits than the MPI library's\n", rank,
                   static_cast<long long>(i), call.count, call.is_complex ? "complex " : "",
                   call.is_double ? "double" : "float", call.op == MPI_SUM ? "sum" : "product");
    }
    if (i % calls_between_barriers == 0) MPI_Barrier(ours);
  }
  MPI_Comm_free(&ours);
  MPI_Comm_free(&native);
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::differential

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = airamp::differential::run(argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 10000);
  MPI_Finalize();
  return status;
}
