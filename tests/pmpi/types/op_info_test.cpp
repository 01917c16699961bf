// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/op_info.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "codec/element_conversion.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::free_type;
using ::airamp::testing::make_contiguous;
using ::airamp::testing::make_padded;

template <class Operation>
void apply(void* in, void* inout, const int* length, Operation operation) {
  const auto* from = static_cast<const std::uint16_t*>(in);
  auto* to = static_cast<std::uint16_t*>(inout);
  for (int i = 0; i < *length; ++i) to[i] = operation(from[i], to[i]);
}

void add_halves(void* in, void* inout, int* length, MPI_Datatype*) {
  apply(in, inout, length, [](std::uint16_t a, std::uint16_t b) {
    return codec::float16_from_float(codec::float_from_float16(a) + codec::float_from_float16(b));
  });
}

void add_integers(void* in, void* inout, int* length, MPI_Datatype*) {
  apply(in, inout, length, [](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(a + b); });
}

/// A sum of halves by an operation of the application's, on every rank; what comes of it, as numbers.
std::vector<float> sum(int rank, MPI_Op op, MPI_Datatype type, std::size_t elements) {
  std::vector<std::uint16_t> values(elements);
  const std::vector<float> own = contribution(rank, elements);
  std::transform(own.begin(), own.end(), values.begin(), codec::float16_from_float);
  const AllreduceCall call(MPI_IN_PLACE, values.data(), static_cast<MPI_Count>(elements), type, op, MPI_COMM_WORLD,
                           false);
  EXPECT_EQ(
      accelerate(call, {.state = communicator_state(MPI_COMM_WORLD), .no_compression = Reason::none}, call.bytes()),
      MPI_SUCCESS);
  std::vector<float> result(elements);
  std::transform(values.begin(), values.end(), result.begin(), codec::float_from_float16);
  return result;
}

TEST(OpsOfTheApplication, AreTriedOnTheDataOfTwoRanksAndThenCompressed) {
  const Outcome outcome = run_ranks({.ranks = 3}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    const AirampRank airamp(settings);
    MPI_Datatype type = make_contiguous(2, MPI_BYTE);
    MPI_Op op = MPI_OP_NULL;
    native().MPI_Op_create(add_halves, 1, &op);
    const std::vector<float> result = sum(rank, op, type, 3000);
    double squared_error = 0;
    double squared = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      double exact = 0;
      for (int peer = 0; peer < 3; ++peer) exact += contribution(peer, 3000)[i];
      squared_error += (result[i] - exact) * (result[i] - exact);
      squared += exact * exact;
      i += 99;
    }
    EXPECT_LE(squared_error, 0.0036 * squared);
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_EQ(only_signature()->accelerated_calls, 1U);
    EXPECT_EQ(user_op(op, type).reduction, (HalfReduction{ElementType::float16, ReduceOp::sum}));
    forget_op(op);
    native().MPI_Op_free(&op);
    free_type(type);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(OpsOfTheApplication, ThatAreNoneOfHalvesAreLeftAlone) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    const AirampRank airamp(opted_in());
    MPI_Datatype type = make_contiguous(2, MPI_BYTE);
    MPI_Op op = MPI_OP_NULL;
    native().MPI_Op_create(add_integers, 1, &op);
    sum(rank, op, type, 3000);
    EXPECT_EQ(only_signature(), nullptr);
    EXPECT_TRUE(user_op(op, type).known);
    EXPECT_FALSE(user_op(op, type).reduction.has_value());
    forget_op(op);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Datatypes, AreKnownByTheirNamesAndLayouts) {
  const Outcome outcome = run_ranks({.ranks = 1}, [&](int) {
    const AirampRank airamp;
    MPI_Datatype named = make_contiguous(2, MPI_BYTE, "bfloat16");
    EXPECT_EQ(datatype_info(named).element, ElementType::bfloat16);
    EXPECT_TRUE(datatype_info(named).packed);
    MPI_Datatype nested = make_contiguous(3, named);
    EXPECT_EQ(datatype_info(nested).size, 6U);
    EXPECT_TRUE(datatype_info(nested).packed);
    MPI_Datatype padded = make_padded(MPI_FLOAT, 8);
    EXPECT_FALSE(datatype_info(padded).packed);
    EXPECT_FALSE(datatype_info(padded).contiguous_element);
    EXPECT_EQ(payload_bytes(5, padded), 20U);
    MPI_Datatype declared = make_contiguous(1, MPI_SHORT);
    declare_element(declared, ElementType::float16);
    EXPECT_EQ(datatype_info(declared).element, ElementType::float16);
    EXPECT_EQ(datatype_info(MPI_DOUBLE).name, "float64");
    EXPECT_TRUE(library_accepts(MPI_INT, MPI_SUM));
    for (MPI_Datatype type : {named, nested, padded, declared}) free_type(type);
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
