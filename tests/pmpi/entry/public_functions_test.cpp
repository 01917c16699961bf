// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "include/airamp/airamp.h"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/op_info.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::free_type;
using ::airamp::testing::make_contiguous;
using ::airamp::testing::make_padded;

void do_nothing(void*, void*, int*, MPI_Datatype*) {}

TEST(PublicFunctions, TellTheVersionAsThreeNumbers) {
  EXPECT_THAT(airamp_version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(PublicFunctions, DeclareWhatATwoByteTypeHolds) {
  run_ranks({.ranks = 1}, [](int) {
    const AirampRank airamp;
    MPI_Datatype type = make_contiguous(2, MPI_BYTE);
    EXPECT_EQ(datatype_info(type).element, std::nullopt);
    EXPECT_EQ(airamp_declare_type(type, "bfloat16"), MPI_SUCCESS);
    EXPECT_EQ(datatype_info(type).element, ElementType::bfloat16);
    EXPECT_EQ(airamp_declare_type(type, "float16"), MPI_SUCCESS);
    EXPECT_EQ(datatype_info(type).element, ElementType::float16);
    free_type(type);
  });
}

TEST(PublicFunctions, RefuseOtherTypesAndFormats) {
  run_ranks({.ranks = 1}, [](int) {
    const AirampRank airamp;
    MPI_Datatype two_bytes = make_contiguous(2, MPI_BYTE);
    MPI_Datatype three_bytes = make_contiguous(3, MPI_BYTE);
    MPI_Datatype with_hole = make_padded(two_bytes, 4);
    EXPECT_EQ(airamp_declare_type(two_bytes, "float8"), MPI_ERR_ARG);
    EXPECT_EQ(airamp_declare_type(two_bytes, nullptr), MPI_ERR_ARG);
    EXPECT_EQ(airamp_declare_type(three_bytes, "float16"), MPI_ERR_TYPE);
    EXPECT_EQ(airamp_declare_type(with_hole, "float16"), MPI_ERR_TYPE);
    EXPECT_EQ(airamp_declare_type(MPI_SHORT, "float16"), MPI_ERR_TYPE);
    EXPECT_EQ(datatype_info(two_bytes).element, std::nullopt);
    free_type(with_hole);
    free_type(three_bytes);
    free_type(two_bytes);
  });
}

TEST(PublicFunctions, DeclareWhatAnOperationDoes) {
  run_ranks({.ranks = 1}, [](int) {
    const AirampRank airamp;
    MPI_Datatype type = make_contiguous(2, MPI_BYTE);
    MPI_Op op = MPI_OP_NULL;
    native().MPI_Op_create(do_nothing, 1, &op);
    EXPECT_EQ(airamp_declare_op(op, "float16", "product"), MPI_ERR_ARG);
    EXPECT_EQ(airamp_declare_op(op, "float16", nullptr), MPI_ERR_ARG);
    EXPECT_EQ(airamp_declare_op(op, nullptr, "max"), MPI_ERR_ARG);
    EXPECT_EQ(airamp_declare_op(MPI_SUM, "float16", "max"), MPI_ERR_ARG);
    EXPECT_FALSE(user_op(op, type).known);
    EXPECT_EQ(airamp_declare_op(op, "bfloat16", "max"), MPI_SUCCESS);
    EXPECT_EQ(user_op(op, type).reduction, (HalfReduction{ElementType::bfloat16, ReduceOp::max}));
    forget_op(op);
    native().MPI_Op_free(&op);
    free_type(type);
  });
}

TEST(PublicFunctions, TakeNothingWhileAIRampIsOff) {
  run_ranks({.ranks = 1}, [](int) {
    MPI_Datatype type = make_contiguous(2, MPI_BYTE);
    EXPECT_EQ(airamp_declare_type(type, "float16"), MPI_SUCCESS);
    const AirampRank airamp;
    EXPECT_EQ(datatype_info(type).element, std::nullopt);
    free_type(type);
  });
}

}  // namespace
}  // namespace airamp::pmpi
