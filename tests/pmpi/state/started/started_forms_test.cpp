// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/started/started_forms.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/types/op_info.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::free_type;
using ::airamp::testing::make_contiguous;

void never_called(void*, void*, int*, MPI_Datatype*) { ADD_FAILURE(); }

StartArguments sum_of(MPI_Datatype type, MPI_Op op = MPI_SUM) {
  return {.kind = Kind::iallreduce,
          .sendbuf = MPI_IN_PLACE,
          .recvbuf = nullptr,
          .count = 512,
          .type = type,
          .op = op,
          .comm = MPI_COMM_WORLD};
}

TEST(StartedForms, TellTypesApart) {
  const Outcome outcome = run_ranks({.ranks = 1}, [&](int) {
    const AirampRank airamp;
    StartedForms forms;
    StartedForm* const doubles = forms.find_or_add(sum_of(MPI_DOUBLE), 4096);
    StartedForm* const integers = forms.find_or_add(sum_of(MPI_INT64_T), 4096);
    ASSERT_NE(doubles, nullptr);
    EXPECT_TRUE(doubles->eligible);
    EXPECT_TRUE(integers->eligible);
    EXPECT_NE(doubles, integers);
    EXPECT_EQ(forms.find_or_add(sum_of(MPI_DOUBLE), 4096), doubles);
  });
  EXPECT_EQ(outcome.trouble, "");
}

/// A sum of the program's own that AIRamp knows.
class OwnSum {
 public:
  explicit OwnSum(ElementType element) {
    native().MPI_Op_create(never_called, 1, &op_);
    declare_op(op_, {element, ReduceOp::sum});
  }
  OwnSum(const OwnSum&) = delete;
  OwnSum& operator=(const OwnSum&) = delete;
  ~OwnSum() {
    forget_op(op_);
    native().MPI_Op_free(&op_);
  }
  MPI_Op op() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

// Two of these, of one length, are one form: nothing that MPI wants equal on all ranks tells them apart.
TEST(StartedForms, LeaveTypesThatTheProgramNamed) {
  const Outcome outcome = run_ranks({.ranks = 1}, [&](int) {
    const AirampRank airamp;
    StartedForms forms;
    for (const ElementType element : {ElementType::float16, ElementType::bfloat16}) {
      MPI_Datatype type = make_contiguous(2, MPI_BYTE);
      const OwnSum sum(element);
      ASSERT_TRUE(facts_of_reduction(type, sum.op(), {.lossless = true}).lossless);
      const StartedForm* const form = forms.find_or_add(sum_of(type, sum.op()), 1024);
      ASSERT_NE(form, nullptr);
      EXPECT_FALSE(form->eligible);
      free_type(type);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(StartedForms, LeaveOperationsOfTheProgramsOwn) {
  const Outcome outcome = run_ranks({.ranks = 1}, [&](int) {
    const AirampRank airamp;
    StartedForms forms;
    const OwnSum of_half(ElementType::float16);
    const OwnSum of_brain(ElementType::bfloat16);
    for (const auto& [type, op] : {std::pair{MPI_UINT16_T, of_half.op()}, std::pair{MPI_SHORT, of_brain.op()}}) {
      ASSERT_TRUE(facts_of_reduction(type, op, {.lossless = true}).lossless);
      const StartedForm* const form = forms.find_or_add(sum_of(type, op), 1024);
      ASSERT_NE(form, nullptr);
      EXPECT_FALSE(form->eligible);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
