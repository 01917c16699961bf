// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Calls of three ranks that are posted, which are made again and again, with other numbers each time.
#pragma once

#include <gmock/gmock.h>

#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/movements/bcast_call.hpp"
#include "pmpi/call/movements/rooted_movement.hpp"
#include "pmpi/entry/brief_posted_call.hpp"
#include "pmpi/entry/hooks.hpp"

namespace airamp::pmpi {

inline constexpr int ranks = 3;

/// Sums of integers to one root, of so many elements.
class Reduces {
 public:
  Reduces(int rank, std::size_t elements, int root, bool in_place = false)
      : rank_(rank), root_(root), in_place_(in_place && rank == root), given_(elements), result_(elements) {}

  int call() {
    contribute();
    return on_MPI_Reduce(from(), result_.data(), static_cast<int>(given_.size()), MPI_INT, MPI_SUM, root_,
                         MPI_COMM_WORLD);
  }

  std::optional<int> briefly() {
    contribute();
    return run_reduce_briefly(ReduceCall(from(), result_.data(), static_cast<MPI_Count>(given_.size()), MPI_INT,
                                         MPI_SUM, root_, MPI_COMM_WORLD, false));
  }

  void expect_right() const {
    std::vector<int> expected(result_.size(), -1);
    for (std::size_t i = 0; rank_ == root_ && i < expected.size(); ++i) {
      expected[i] = ranks * (calls_ + static_cast<int>(i)) + 3000;
    }
    EXPECT_THAT(result_, ::testing::ElementsAreArray(expected));
  }

 private:
  void contribute() {
    std::iota(given_.begin(), given_.end(), rank_ * 1000 + ++calls_);
    result_.assign(result_.size(), -1);
    if (in_place_) result_ = given_;
  }

  const void* from() const { return in_place_ ? MPI_IN_PLACE : given_.data(); }

  int rank_;
  int root_;
  bool in_place_;
  int calls_ = 0;
  std::vector<int> given_;
  std::vector<int> result_;
};

/// Broadcasts of integers from one root.
class Broadcasts {
 public:
  Broadcasts(int rank, std::size_t elements, int root) : rank_(rank), root_(root), values_(elements) {}

  int call() {
    fill();
    return on_MPI_Bcast(values_.data(), static_cast<int>(values_.size()), MPI_INT, root_, MPI_COMM_WORLD);
  }

  std::optional<int> briefly() {
    fill();
    return run_by_root_briefly(
        BcastCall(values_.data(), static_cast<MPI_Count>(values_.size()), MPI_INT, root_, MPI_COMM_WORLD, false));
  }

  void expect_right() const {
    std::vector<int> expected(values_.size());
    std::iota(expected.begin(), expected.end(), 1000 * calls_);
    EXPECT_THAT(values_, ::testing::ElementsAreArray(expected));
  }

 private:
  void fill() {
    ++calls_;
    values_.assign(values_.size(), -1);
    if (rank_ == root_) std::iota(values_.begin(), values_.end(), 1000 * calls_);
  }

  int rank_;
  int root_;
  int calls_ = 0;
  std::vector<int> values_;
};

/// Scatters of integers from one root.
class Scatters {
 public:
  Scatters(int rank, std::size_t elements, int root, bool in_place = false)
      : rank_(rank), root_(root), in_place_(in_place && rank == root), all_(elements * ranks), own_(elements) {}

  int call() {
    fill();
    return on_MPI_Scatter(all_.data(), count(), MPI_INT, to(), count(), MPI_INT, root_, MPI_COMM_WORLD);
  }

  std::optional<int> briefly() {
    fill();
    return run_by_root_briefly(
        ScatterCall(all_.data(), count(), MPI_INT, to(), count(), MPI_INT, root_, MPI_COMM_WORLD, false));
  }

  void expect_right() const {
    std::vector<int> expected(own_.size(), -1);
    if (!in_place_) std::iota(expected.begin(), expected.end(), 1000 * calls_ + rank_ * count());
    EXPECT_THAT(own_, ::testing::ElementsAreArray(expected));
  }

 private:
  void fill() {
    ++calls_;
    own_.assign(own_.size(), -1);
    if (rank_ == root_) std::iota(all_.begin(), all_.end(), 1000 * calls_);
  }

  int count() const { return static_cast<int>(own_.size()); }
  void* to() { return in_place_ ? MPI_IN_PLACE : own_.data(); }

  int rank_;
  int root_;
  bool in_place_;
  int calls_ = 0;
  std::vector<int> all_;
  std::vector<int> own_;
};

/// The same by MPI_Scatterv: every second rank but the root has one more, others in each call, and there are gaps.
class UnevenScatters {
 public:
  UnevenScatters(int rank, std::size_t elements, int root, bool in_place = false)
      : rank_(rank),
        root_(root),
        in_place_(in_place && rank == root),
        elements_(elements),
        all_((elements + 2) * ranks),
        counts_(ranks),
        displacements_(ranks),
        own_(elements + 2) {}

  int call() {
    fill();
    return on_MPI_Scatterv(all_.data(), counts_.data(), displacements_.data(), MPI_INT, to(), counts_[own()], MPI_INT,
                           root_, MPI_COMM_WORLD);
  }

  std::optional<int> briefly() {
    fill();
    return run_by_root_briefly(
        ScattervCall({to(), counts_[own()], MPI_INT},
                     {all_.data(), NumbersByRank(counts_.data()), NumbersByRank(displacements_.data()), MPI_INT}, root_,
                     MPI_COMM_WORLD, false));
  }

  void expect_right() const {
    std::vector<int> expected(own_.size(), -1);
    const auto end = expected.begin() + counts_[own()];
    if (!in_place_) std::iota(expected.begin(), end, 1000 * calls_ + displacements_[own()]);
    EXPECT_THAT(own_, ::testing::ElementsAreArray(expected));
  }

 private:
  void fill() {
    ++calls_;
    own_.assign(own_.size(), -1);
    if (rank_ == root_) std::iota(all_.begin(), all_.end(), 1000 * calls_);
    for (int rank = 0; rank < ranks; ++rank) {
      const int place = (rank - root_ + ranks) % ranks;
      const auto at = static_cast<std::size_t>(rank);
      counts_[at] = static_cast<int>(elements_) + (place > 0 ? (place + calls_) % 2 : 0);
      displacements_[at] = (ranks - 1 - rank) * static_cast<int>(elements_ + 2);
    }
  }

  std::size_t own() const { return static_cast<std::size_t>(rank_); }
  void* to() { return in_place_ ? MPI_IN_PLACE : own_.data(); }

  int rank_;
  int root_;
  bool in_place_;
  int calls_ = 0;
  std::size_t elements_;
  std::vector<int> all_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<int> own_;
};

}  // namespace airamp::pmpi
