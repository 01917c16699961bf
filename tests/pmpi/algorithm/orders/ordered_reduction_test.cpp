// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/ordered_reduction.hpp"

#include <gtest/gtest.h>

#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

// Exact sums are rounded once, whatever the order.
TEST(OrderedReduction, ReducesInNoOrderWhereSumsAreExact) {
  constexpr int ranks = 5;
  const SummationTree order = SummationTree::pairs(ranks);
  for (const ReductionOrder wanted : {ReductionOrder::exact, ReductionOrder::native}) {
    job().settings.reduction_order = wanted;
    const OrderedReduction reduction(Kind::allreduce, MPI_COMM_WORLD, 0, ranks,
                                     {.type = DataType::float64, .op = ReduceOp::sum});
    EXPECT_EQ(reduction.short_reduction_in(order, 1) == nullptr, wanted == ReductionOrder::exact);
    EXPECT_EQ(reduction.strided_reduction_in(order) == nullptr, wanted == ReductionOrder::exact);
  }
}

}  // namespace
}  // namespace airamp::pmpi
