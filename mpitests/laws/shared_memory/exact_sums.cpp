// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_exact_sums: with AIRAMP_REDUCTION_ORDER=exact every sum is the correctly rounded one, in the first call
// as in later ones, whichever rank gives what. Products are those of the fixed order.
#include <algorithm>
#include <cmath>
#include <vector>

#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/reductions.hpp"
#include "testing/bitwise_sum.hpp"

namespace airamp::laws {
namespace {

/// What numbers that are not all finite add up to, in any order.
template <class Real>
Real sum_of_infinities(const std::vector<Real>& addends) {
  const bool plus = std::any_of(addends.begin(), addends.end(), [](Real x) { return std::isinf(x) && x > 0; });
  const bool minus = std::any_of(addends.begin(), addends.end(), [](Real x) { return std::isinf(x) && x < 0; });
  const bool nan = std::any_of(addends.begin(), addends.end(), [](Real x) { return std::isnan(x); });
  if (nan || (plus && minus)) return std::numeric_limits<Real>::quiet_NaN();
  return plus ? std::numeric_limits<Real>::infinity() : -std::numeric_limits<Real>::infinity();
}

template <class Real>
Real exact_sum(const std::vector<Real>& addends) {
  if (!std::all_of(addends.begin(), addends.end(), [](Real x) { return std::isfinite(x); })) {
    return sum_of_infinities(addends);
  }
  if (std::all_of(addends.begin(), addends.end(), [](Real x) { return x == 0 && std::signbit(x); })) return Real{-0.0};
  testing::BitwiseSum sum;
  for (const Real addend : addends) sum.add(addend);
  return sum.rounded<Real>();
}

template <class Real>
std::vector<Real> exact_sums(const Contributions<Real>& contributions) {
  std::vector<Real> sums;
  for (std::size_t i = 0; i < contributions.front().size(); ++i) {
    std::vector<Real> addends;
    for (const std::vector<Real>& contribution : contributions) addends.push_back(contribution[i]);
    sums.push_back(exact_sum(addends));
  }
  return sums;
}

/// With the contributions from rank to rank.
template <class Real>
void check(Contributions<Real> contributions, MPI_Comm communicator) {
  const std::vector<Real> expected = exact_sums(contributions);
  for (int turn = 0; turn < 3; ++turn) {
    require_bits(contributions, MPI_SUM, communicator, expected, "the correctly rounded sum");
    std::rotate(contributions.begin(), contributions.begin() + 1, contributions.end());
    if (turn == 1) std::reverse(contributions.begin(), contributions.end());
  }
}

/// Large numbers that cancel, and small ones that are left.
template <class Real>
Contributions<Real> cancelling_contributions(int ranks) {
  Contributions<Real> contributions = contributions_of<Real>(ranks, 600, MPI_SUM);
  for (std::size_t i = 0; i < contributions.front().size(); ++i) {
    contributions.front()[i] = std::ldexp(contributions.front()[i], 60);
    contributions.back()[i] = -contributions.front()[i];
  }
  return contributions;
}

template <class Real>
void check_all(MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  const auto blocks = static_cast<std::size_t>(ranks);
  for (const std::size_t elements : {std::size_t{1}, 3 * blocks, std::size_t{513}, 1025 * blocks}) {
    check(contributions_of<Real>(ranks, elements, MPI_SUM), communicator);
  }
  check(cancelling_contributions<Real>(ranks), communicator);
  check(special_contributions<Real>(ranks), communicator);
  const Contributions<Real> factors = contributions_of<Real>(ranks, 513, MPI_PROD);
  require_bits(factors, MPI_PROD, communicator, in_fixed_order(factors, MPI_PROD), "products in the fixed order");
}

/// Of several chunks, whose exact sums are whole numbers.
template <class Real>
void check_long(MPI_Comm communicator) {
  const auto ranks = static_cast<std::size_t>(size_of(communicator));
  constexpr std::size_t elements = 300007;
  Contributions<Real> contributions(ranks, std::vector<Real>(elements));
  std::vector<Real> expected(elements);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < elements; ++i) contributions[rank][i] = static_cast<Real>((rank + 1) * (i % 1000));
  }
  for (std::size_t i = 0; i < elements; ++i) expected[i] = static_cast<Real>(ranks * (ranks + 1) / 2 * (i % 1000));
  require_bits(contributions, MPI_SUM, communicator, expected, "every element of a long sum");
}

}  // namespace

void run() {
  on_communicators([](MPI_Comm communicator) {
    check_all<double>(communicator);
    check_all<float>(communicator);
  });
  check_long<double>(MPI_COMM_WORLD);
  check_long<float>(MPI_COMM_WORLD);
}

}  // namespace airamp::laws
