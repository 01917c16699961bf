// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/laws/shared_memory/sums_of_ranks.hpp"

namespace airamp::laws {

template <class Real>
MPI_Datatype type_of() {
  return sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/// What each rank gives, by rank; all of the same length.
template <class Real>
using Contributions = std::vector<std::vector<Real>>;

/// `elements` numbers of each rank, others in each call, as numbers_of has them.
template <class Real>
Contributions<Real> contributions_of(int ranks, std::size_t elements, MPI_Op op) {
  static unsigned call = 0;
  ++call;
  Contributions<Real> all;
  for (int rank = 0; rank < ranks; ++rank) all.push_back(numbers_of<Real>(rank, call, elements, op));
  return all;
}

/// Element by element, one kind of trouble each: overflow on the way and in the end, zeros of both signs, subnormals,
/// infinities and NaN, from different ranks.
template <class Real>
Contributions<Real> special_contributions(int ranks) {
  using Limits = std::numeric_limits<Real>;
  constexpr Real most = Limits::max();
  constexpr Real least = Limits::denorm_min();
  constexpr Real infinity = Limits::infinity();
  Contributions<Real> all;
  for (int rank = 0; rank < ranks; ++rank) {
    const bool first = rank == 0;
    const bool second = rank == 1;
    const bool last = rank == ranks - 1;
    const auto sign = static_cast<Real>(rank % 2 == 0 ? 1 : -1);
    all.push_back({most,                                 // overflows
                   -most,                                // likewise
                   sign * most,                          // may overflow on the way
                   last ? -most : most / 2,              // likewise
                   Real{-0.0},                           // stays -0
                   last ? Real{0.0} : Real{-0.0},        // does not
                   sign * least,                         // zero or one subnormal
                   least * static_cast<Real>(rank + 1),  // subnormals
                   first ? Limits::min() : -least,       // becomes subnormal
                   second ? infinity : Real{1},          //
                   last ? -infinity : most,              //
                   first    ? infinity
                   : second ? -infinity
                            : 1,                          // NaN
                   last ? Limits::quiet_NaN() : Real{1},  //
                   last ? Limits::quiet_NaN() : infinity});
  }
  return all;
}

/// The result of the fixed order, by the loop of docs/reproducibility.md.
template <class Real>
std::vector<Real> in_fixed_order(Contributions<Real> x, MPI_Op op) {
  const std::size_t ranks = x.size();
  for (std::size_t step = 1; step < ranks; step *= 2) {
    for (std::size_t i = 0; i + step < ranks; i += 2 * step) {
      for (std::size_t k = 0; k < x[i].size(); ++k) {
        x[i][k] = op == MPI_SUM ? x[i][k] + x[i + step][k] : x[i][k] * x[i + step][k];
      }
    }
  }
  return x.front();
}

/// The same bits, but for NaNs, which are all alike.
template <class Real>
bool same(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::memcmp(&a[i], &b[i], sizeof(Real)) == 0) continue;
    std::fprintf(stderr, "element %zu of %zu: %a, not %a\n", i, a.size(), static_cast<double>(a[i]),
                 static_cast<double>(b[i]));
    return false;
  }
  return true;
}

template <class Real>
std::vector<Real> allreduce(const std::vector<Real>& own, MPI_Op op, bool in_place, MPI_Comm communicator) {
  std::vector<Real> result = in_place ? own : std::vector<Real>(own.size());
  MPI_Allreduce(in_place ? MPI_IN_PLACE : own.data(), result.data(), static_cast<int>(own.size()), type_of<Real>(), op,
                communicator);
  return result;
}

/// Empty on other ranks than the root.
template <class Real>
std::vector<Real> reduce(const std::vector<Real>& own, MPI_Op op, int root, MPI_Comm communicator) {
  std::vector<Real> result(rank_in(communicator) == root ? own.size() : 0);
  MPI_Reduce(own.data(), result.data(), static_cast<int>(own.size()), type_of<Real>(), op, root, communicator);
  return result;
}

/// This rank's block. The ranks' contributions are of as many blocks as there are ranks.
template <class Real>
std::vector<Real> reduce_scatter_block(const std::vector<Real>& own, MPI_Op op, MPI_Comm communicator) {
  std::vector<Real> block(own.size() / static_cast<std::size_t>(size_of(communicator)));
  MPI_Reduce_scatter_block(own.data(), block.data(), static_cast<int>(block.size()), type_of<Real>(), op, communicator);
  return block;
}

/// Reduces the contributions by all functions, to all roots, in the first call of each as in later ones.
/// `require_right` is given what a rank has got and where its part of the whole result begins.
template <class Real, class RequireRight>
void reduce_in_all_ways(const Contributions<Real>& contributions, MPI_Op op, MPI_Comm communicator,
                        const RequireRight& require_right) {
  const auto rank = static_cast<std::size_t>(rank_in(communicator));
  const std::vector<Real>& own = contributions[rank];
  for (int round = 0; round < 3; ++round) {
    for (const bool in_place : {false, true}) require_right(allreduce(own, op, in_place, communicator), 0);
    for (int root = 0; root < size_of(communicator); ++root) {
      const std::vector<Real> result = reduce(own, op, root, communicator);
      if (rank_in(communicator) == root) require_right(result, 0);
    }
    if (own.size() % static_cast<std::size_t>(size_of(communicator)) != 0) continue;
    const std::vector<Real> block = reduce_scatter_block(own, op, communicator);
    require_right(block, rank * block.size());
  }
}

/// The same, where the whole result is known to the last bit.
template <class Real>
void require_bits(const Contributions<Real>& contributions, MPI_Op op, MPI_Comm communicator,
                  const std::vector<Real>& expected, const char* what) {
  reduce_in_all_ways(contributions, op, communicator, [&](const std::vector<Real>& got, std::size_t begin) {
    const auto from = expected.begin() + static_cast<std::ptrdiff_t>(begin);
    require(same(got, std::vector<Real>(from, from + static_cast<std::ptrdiff_t>(got.size()))), what);
  });
}

}  // namespace airamp::laws
