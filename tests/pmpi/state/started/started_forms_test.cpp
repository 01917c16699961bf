// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/started/started_forms.hpp"

#include <gtest/gtest.h>

#include "pmpi/call/eligibility.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::free_type;
using ::airamp::testing::make_contiguous;

StartArguments sum_of(MPI_Datatype type) {
  return {.kind = Kind::iallreduce,
          .sendbuf = MPI_IN_PLACE,
          .recvbuf = nullptr,
          .count = 512,
          .type = type,
          .op = MPI_SUM,
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

// Two of these, of one length, are one form: nothing that MPI wants equal on all ranks tells them apart.
TEST(StartedForms, LeaveTypesThatTheProgramNamed) {
  const Outcome outcome = run_ranks({.ranks = 1}, [&](int) {
    const AirampRank airamp;
    StartedForms forms;
    for (const char* const name : {"float16", "bfloat16"}) {
      MPI_Datatype type = make_contiguous(2, MPI_BYTE, name);
      ASSERT_TRUE(facts_of_reduction(type, MPI_SUM, {.lossless = true}).lossless);
      const StartedForm* const form = forms.find_or_add(sum_of(type), 1024);
      ASSERT_NE(form, nullptr);
      EXPECT_FALSE(form->eligible);
      free_type(type);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
