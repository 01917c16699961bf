// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/reduce_op.hpp"

#include <gtest/gtest.h>

#include <set>

namespace airamp {
namespace {

TEST(ReduceOp, EachHasAName) {
  std::set<std::string_view> names;
  for (int op = 0; op < reduce_op_count; ++op) names.insert(to_string(static_cast<ReduceOp>(op)));
  EXPECT_EQ(names, (std::set<std::string_view>{"sum", "max", "min", "prod", "land", "lor", "lxor", "band", "bor",
                                               "bxor", "maxloc", "minloc"}));
  EXPECT_EQ(to_string(static_cast<ReduceOp>(reduce_op_count)), "");
}

TEST(ReduceOp, GpusComputeTheFirstFour) {
  for (int op = 0; op < reduce_op_count; ++op) EXPECT_EQ(is_for_gpus(static_cast<ReduceOp>(op)), op < 4);
}

}  // namespace
}  // namespace airamp
