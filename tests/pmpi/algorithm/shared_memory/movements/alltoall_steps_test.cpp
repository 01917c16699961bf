// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How an alltoall goes through places that are shorter than its vectors
// (pmpi/algorithm/shared_memory/movements/alltoall_steps.hpp).
#include "pmpi/algorithm/shared_memory/movements/alltoall_steps.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace airamp::pmpi {
namespace {

struct Partner {
  int above;
  int below;
  std::size_t offset;
};

std::vector<Partner> partners_of(const AlltoallSteps& steps, int rank, std::size_t step) {
  std::vector<Partner> partners;
  steps.for_partners(rank, step, [&](int above, int below, std::size_t offset) {
    partners.push_back({.above = above, .below = below, .offset = offset});
  });
  return partners;
}

struct Shape {
  int ranks;
  std::size_t block_bytes;
  std::size_t place_bytes;
};

class AlltoallStepsOf : public testing::TestWithParam<Shape> {
 protected:
  const Shape shape_ = GetParam();
  const AlltoallSteps steps_{shape_.ranks, shape_.block_bytes, shape_.place_bytes};
};

TEST_P(AlltoallStepsOf, EveryByteForEveryRankIsLeftOnceInPlacesThatDoNotOverlap) {
  for (int rank = 0; rank < shape_.ranks; ++rank) {
    std::vector<std::size_t> next(static_cast<std::size_t>(shape_.ranks), 0);
    for (std::size_t step = 0; step < steps_.count(); ++step) {
      const Chunk piece = steps_.piece(step);
      std::size_t free_from = 0;
      for (const Partner& partner : partners_of(steps_, rank, step)) {
        std::size_t& expected = next[static_cast<std::size_t>(partner.above)];
        ASSERT_EQ(piece.begin, expected) << "for rank " << partner.above << " in step " << step;
        ASSERT_GE(partner.offset, free_from);
        expected += piece.bytes;
        free_from = partner.offset + piece.bytes;
      }
      ASSERT_LE(free_from, shape_.place_bytes);
    }
    for (int other = 0; other < shape_.ranks; ++other)
      ASSERT_EQ(next[static_cast<std::size_t>(other)], other == rank ? 0 : shape_.block_bytes);
  }
}

TEST_P(AlltoallStepsOf, WhatOneRankLeavesTheOtherTakesInTheSameStepFromTheSameOffset) {
  for (std::size_t step = 0; step < steps_.count(); ++step) {
    for (int rank = 0; rank < shape_.ranks; ++rank) {
      for (const Partner& partner : partners_of(steps_, rank, step)) {
        std::size_t taken = 0;
        for (const Partner& back : partners_of(steps_, partner.above, step))
          taken += back.below == rank && back.offset == partner.offset ? 1 : 0;
        ASSERT_EQ(taken, 1U) << rank << " to " << partner.above << " in step " << step;
      }
    }
  }
}

TEST_P(AlltoallStepsOf, PartnersAreTheSameInBothDirectionsSoThatItWorksInPlace) {
  for (std::size_t step = 0; step < steps_.count(); ++step) {
    std::set<int> to;
    std::set<int> from;
    for (const Partner& partner : partners_of(steps_, shape_.ranks - 1, step)) {
      to.insert(partner.above);
      from.insert(partner.below);
    }
    ASSERT_EQ(to, from) << "in step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AlltoallStepsOf,
                         testing::Values(Shape{2, 300000, 262144}, Shape{2, 5, 4096}, Shape{3, 100001, 4096},
                                         Shape{3, 1 << 20, 262144}, Shape{4, 65535, 131072}, Shape{4, 80000, 262144},
                                         Shape{5, 33000, 16384}, Shape{7, 8193, 16384}, Shape{8, 131072, 262144},
                                         Shape{16, 16384, 163840}, Shape{32, 2561, 81920}, Shape{32, 16384, 81920},
                                         Shape{33, 70000, 81920}, Shape{64, 300, 16384}, Shape{255, 20001, 16384}),
                         [](const auto& shape) {
                           return "ranks_" + std::to_string(shape.param.ranks) + "_block_" +
                                  std::to_string(shape.param.block_bytes) + "_place_" +
                                  std::to_string(shape.param.place_bytes);
                         });

}  // namespace
}  // namespace airamp::pmpi
