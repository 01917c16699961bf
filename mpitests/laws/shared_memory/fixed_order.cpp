// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_fixed_order: with AIRAMP_REDUCTION_ORDER=fixed every sum and product has the bits of the additions that
// docs/reproducibility.md lists, in the first call as in later ones, whatever is called in between.
#include <cstdint>
#include <vector>

#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/reductions.hpp"

namespace airamp::laws {
namespace {

template <class Real>
void check(const Contributions<Real>& contributions, MPI_Op op, MPI_Comm communicator) {
  require_bits(contributions, op, communicator, in_fixed_order(contributions, op), "the documented order of additions");
}

template <class Real>
void check_all(MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  const auto blocks = static_cast<std::size_t>(ranks);
  for (const std::size_t elements : {std::size_t{1}, 3 * blocks, std::size_t{513}, 1025 * blocks, std::size_t{40009}}) {
    for (const MPI_Op op : {MPI_SUM, MPI_PROD}) check(contributions_of<Real>(ranks, elements, op), op, communicator);
  }
  check(special_contributions<Real>(ranks), MPI_SUM, communicator);
}

void add(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  for (int i = 0; i < *count; ++i) static_cast<double*>(inout)[i] += static_cast<double*>(in)[i];
}

/// Calls that are left to the MPI library, of the same size and more, do not stand in the way.
void other_calls_in_between(MPI_Comm communicator) {
  MPI_Op own_sum = MPI_OP_NULL;
  MPI_Op_create(add, 1, &own_sum);
  const int ranks = size_of(communicator);
  for (int round = 0; round < 20; ++round) {
    const double one = 1;
    double sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, own_sum, communicator);
    require(sum == ranks, "a sum of the program's own");
    const long double long_one = 1;
    long double long_sum = 0;
    MPI_Allreduce(&long_one, &long_sum, 1, MPI_LONG_DOUBLE, MPI_SUM, communicator);
    require(long_sum == ranks, "a sum of long doubles");
    const std::int32_t whole = round;
    std::int32_t whole_sum = 0;
    MPI_Allreduce(&whole, &whole_sum, 1, MPI_INT32_T, MPI_SUM, communicator);
    require(whole_sum == round * ranks, "a sum of whole numbers");
    MPI_Pcontrol(rank_in(communicator) == round % ranks ? 0 : 1);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
    require(sum == ranks, "a sum that is switched off");
    MPI_Pcontrol(1);
    check(contributions_of<double>(ranks, 1, MPI_SUM), MPI_SUM, communicator);
  }
  MPI_Op_free(&own_sum);
}

}  // namespace

void run() {
  on_communicators([](MPI_Comm communicator) {
    check_all<double>(communicator);
    check_all<float>(communicator);
  });
  other_calls_in_between(MPI_COMM_WORLD);
}

}  // namespace airamp::laws
