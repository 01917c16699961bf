// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/type_group.hpp"

#include <gtest/gtest.h>

#include <string>

namespace airamp::pmpi {
namespace {

/// By the names of the operations that a group takes.
std::string allowed(TypeGroup group) {
  std::string names;
  for (int op = 0; op < reduce_op_count; ++op) {
    if (allows(group, static_cast<ReduceOp>(op))) names += std::string(to_string(static_cast<ReduceOp>(op))) + " ";
  }
  return names;
}

// The table of MPI-4.1, 6.9.2.
TEST(TypeGroup, TakesWhatMpiAllows) {
  EXPECT_EQ(allowed(TypeGroup::none), "");
  EXPECT_EQ(allowed(TypeGroup::c_integer), "sum max min prod land lor lxor band bor bxor ");
  EXPECT_EQ(allowed(TypeGroup::fortran_integer), "sum max min prod band bor bxor ");
  EXPECT_EQ(allowed(TypeGroup::floating_point), "sum max min prod ");
  EXPECT_EQ(allowed(TypeGroup::complex), "sum ");
  EXPECT_EQ(allowed(TypeGroup::logical), "land lor lxor ");
  EXPECT_EQ(allowed(TypeGroup::byte), "band bor bxor ");
  EXPECT_EQ(allowed(TypeGroup::multi_language), "sum max min prod band bor bxor ");
  EXPECT_EQ(allowed(TypeGroup::offset), "sum prod band bor bxor ");
  EXPECT_EQ(allowed(TypeGroup::pair), "maxloc minloc ");
}

}  // namespace
}  // namespace airamp::pmpi
