// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_any_order: with AIRAMP_REDUCTION_ORDER=any every sum is within the bound that holds for any order of
// additions, and all ranks have the same one.
#include <cmath>
#include <vector>

#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/reductions.hpp"
#include "testing/bitwise_sum.hpp"

namespace airamp::laws {
namespace {

/// n - 1 additions, each with a relative error of u at most, are off by (n - 1) u / (1 - (n - 1) u) times the sum of
/// the magnitudes (Higham, "Accuracy and Stability of Numerical Algorithms", 4.2).
template <class Real>
void check(const Contributions<Real>& contributions, MPI_Comm communicator) {
  const std::size_t elements = contributions.front().size();
  std::vector<double> sums;
  std::vector<double> bounds(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    testing::BitwiseSum sum;
    for (const std::vector<Real>& contribution : contributions) {
      sum.add(contribution[i]);
      bounds[i] += std::fabs(static_cast<double>(contribution[i]));
    }
    sums.push_back(sum.rounded<double>());
    // eps is 2 u: room for the roundings here
    bounds[i] *= static_cast<double>(contributions.size()) * std::numeric_limits<Real>::epsilon();
  }
  reduce_in_all_ways(contributions, MPI_SUM, communicator, [&](const std::vector<Real>& got, std::size_t begin) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      require(std::fabs(static_cast<double>(got[i]) - sums[begin + i]) <= bounds[begin + i], "a sum within its bound");
    }
  });
  const std::vector<Real> own =
      allreduce(contributions[static_cast<std::size_t>(rank_in(communicator))], MPI_SUM, false, communicator);
  std::vector<Real> of_first = own;
  MPI_Bcast(of_first.data(), static_cast<int>(elements), type_of<Real>(), 0, communicator);
  require(same(own, of_first), "the same bits on all ranks");
}

template <class Real>
void check_all(MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  for (const std::size_t elements : {1U, 24U, 513U, 2100U}) {
    for (int i = 0; i < 5; ++i) check(contributions_of<Real>(ranks, elements, MPI_SUM), communicator);
  }
}

}  // namespace

void run() {
  on_communicators([](MPI_Comm communicator) {
    check_all<double>(communicator);
    check_all<float>(communicator);
  });
}

}  // namespace airamp::laws
