// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/promised_order.hpp"

#include <gtest/gtest.h>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/job/job.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr LocalFacts sum_of_doubles{.lossless = true, .type = DataType::float64, .op = ReduceOp::sum};

class PromisedOrder : public ::testing::TestWithParam<ReductionOrder> {
 protected:
  void SetUp() override {
    job().settings.enable_shared_memory = false;
    job().settings.reduction_order = GetParam();
  }
  void TearDown() override { job().settings = {}; }
};
class KeptOrder : public PromisedOrder {};
class FreeOrder : public PromisedOrder {};

TEST_P(KeptOrder, IsThatOfSumsAndProductsInHostMemory) {
  for (const Kind kind : {Kind::allreduce, Kind::reduce, Kind::reduce_scatter_block}) {
    EXPECT_TRUE(is_order_promised(kind, sum_of_doubles));
  }
  LocalFacts facts = sum_of_doubles;
  facts.type = DataType::float32;
  facts.op = ReduceOp::prod;
  EXPECT_TRUE(is_order_promised(Kind::allreduce, facts));
}

TEST_P(KeptOrder, IsNotThatOfAnythingElse) {
  EXPECT_FALSE(is_order_promised(Kind::allgather, sum_of_doubles));
  LocalFacts facts = sum_of_doubles;
  facts.op = ReduceOp::max;
  EXPECT_FALSE(is_order_promised(Kind::allreduce, facts));
  facts = sum_of_doubles;
  facts.type = DataType::int64;
  EXPECT_FALSE(is_order_promised(Kind::allreduce, facts));
  facts = sum_of_doubles;
  facts.memory = Memory::device;
  EXPECT_FALSE(is_order_promised(Kind::allreduce, facts));
  facts = sum_of_doubles;
  facts.lossy = true;  // opted in to compression
  EXPECT_FALSE(is_order_promised(Kind::allreduce, facts));
  facts = sum_of_doubles;
  facts.lossless = false;
  EXPECT_FALSE(is_order_promised(Kind::allreduce, facts));
}

TEST(Order, MattersForSumsAndProductsOfFloatingPointNumbersAlone) {
  EXPECT_TRUE(depends_on_order(DataType::float64, ReduceOp::sum));
  EXPECT_TRUE(depends_on_order(DataType::float32, ReduceOp::prod));
  EXPECT_TRUE(depends_on_order(DataType::complex64, ReduceOp::sum));
  EXPECT_TRUE(depends_on_order(DataType::complex128, ReduceOp::sum));
  EXPECT_FALSE(depends_on_order(DataType::float64, ReduceOp::max));
  EXPECT_FALSE(depends_on_order(DataType::float64_int32, ReduceOp::maxloc));
  EXPECT_FALSE(depends_on_order(DataType::int64, ReduceOp::sum));
}

// Handles of one type may differ from rank to rank, and so may what the ranks' calls have in common but for the
// operation.
TEST_P(KeptOrder, MayBeThatOfWhatHasTheOperation) {
  const Outcome outcome = run_ranks({.ranks = 1}, [&](int) {
    const AirampRank airamp({.reduction_order = GetParam()});
    const auto may_be = [](MPI_Datatype type, MPI_Op op) {
      return may_order_be_promised(Kind::allreduce, reduction_arguments(type, op));
    };
    EXPECT_TRUE(may_be(MPI_DOUBLE, MPI_SUM));
    EXPECT_TRUE(may_be(MPI_INT, MPI_PROD));
    EXPECT_FALSE(may_be(MPI_DOUBLE, MPI_MAX));
    EXPECT_FALSE(may_be(MPI_INT, MPI_BAND));
    EXPECT_FALSE(may_order_be_promised(Kind::alltoall, 0));
    EXPECT_FALSE(may_order_be_promised(Kind::scan, reduction_arguments(MPI_DOUBLE, MPI_SUM)));
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Where it is disabled otherwise, it is for reductions alone.
TEST_P(KeptOrder, NeedsSharedMemory) {
  EXPECT_TRUE(is_for_shared_memory(Kind::reduce));
  EXPECT_FALSE(may_use_shared_memory(Kind::reduce, 0));
  EXPECT_FALSE(is_for_shared_memory(Kind::barrier));
  EXPECT_FALSE(is_for_shared_memory(Kind::bcast));
}

TEST_P(FreeOrder, IsNotPromised) {
  EXPECT_FALSE(is_order_promised(Kind::allreduce, sum_of_doubles));
  EXPECT_FALSE(may_order_be_promised(Kind::allreduce));
  EXPECT_FALSE(is_for_shared_memory(Kind::allreduce));
}

INSTANTIATE_TEST_SUITE_P(Orders, KeptOrder, ::testing::Values(ReductionOrder::fixed, ReductionOrder::exact));
INSTANTIATE_TEST_SUITE_P(Orders, FreeOrder, ::testing::Values(ReductionOrder::native, ReductionOrder::any));

}  // namespace
}  // namespace airamp::pmpi
