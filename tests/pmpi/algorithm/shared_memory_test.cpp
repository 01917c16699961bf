// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What shared memory is a candidate for (pmpi/algorithm/shared_memory/shared_memory.cpp).
#include <gtest/gtest.h>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::uint64_t kib = 1024;

class SharedMemoryCandidate : public testing::Test {
 protected:
  void SetUp() override { job().settings = {}; }
  void TearDown() override { job().settings = {}; }

  static bool is_candidate(Kind kind, std::uint64_t max_bytes, int size, DataType type, ReduceOp op) {
    const LocalFacts facts{.lossless = true, .type = type, .op = op, .memory = Memory::host};
    const CandidateList list = candidates_for(kind, max_bytes, facts, size, imposed_by(job().settings.force));
    return list.size() == 1 && *list.begin() == AlgorithmId::shared_memory;
  }
};

// Where the root would have too much to read, the ranks share the work.
TEST_F(SharedMemoryCandidate, IsOneForReducesOfEveryLength) {
  for (const int size : {2, 16, 17, 32, 64}) {
    for (const std::uint64_t bytes : {1 * kib - 1, 2 * kib - 1, 4 * kib - 1}) {
      EXPECT_TRUE(is_candidate(Kind::reduce, bytes, size, DataType::int64, ReduceOp::sum));
      EXPECT_TRUE(is_candidate(Kind::allreduce, bytes, size, DataType::int64, ReduceOp::sum));
    }
  }
}

TEST_F(SharedMemoryCandidate, IsOneWhereItIsImposed) {
  job().settings.force = config::Force::shared_memory;
  EXPECT_TRUE(is_candidate(Kind::reduce, 2 * kib - 1, 32, DataType::int64, ReduceOp::sum));
}

// A job promises no order of its own of these, and the MPI library has one for each rank.
TEST_F(SharedMemoryCandidate, IsOneForScansAndUnevenBlocksWhereNoOrderIsPromised) {
  using Order = ReductionOrder;
  for (const Order order : {Order::native, Order::any, Order::fixed, Order::exact}) {
    job().settings.reduction_order = order;
    const bool is_promised = order == Order::fixed || order == Order::exact;
    for (const Kind kind : {Kind::scan, Kind::exscan, Kind::reduce_scatter}) {
      for (const ReduceOp op : {ReduceOp::sum, ReduceOp::prod})
        EXPECT_EQ(is_candidate(kind, 64 * kib, 4, DataType::float64, op), !is_promised);
    }
  }
}

TEST_F(SharedMemoryCandidate, IsOneWhereNoOrderMatters) {
  for (const Kind kind : {Kind::scan, Kind::exscan, Kind::reduce_scatter})
    EXPECT_TRUE(is_candidate(kind, 64 * kib, 4, DataType::float64, ReduceOp::max));
}

}  // namespace
}  // namespace airamp::pmpi
