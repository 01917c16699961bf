// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// CollectiveCall::is_refused_alone.
#include <gtest/gtest.h>

#include <array>

#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/call/exchanges/alltoallv_call.hpp"
#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/movements/allgather_call.hpp"
#include "pmpi/call/movements/alltoall_call.hpp"
#include "pmpi/call/movements/bcast_call.hpp"
#include "pmpi/call/movements/rooted_movement.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 2;

/// What a rank gives or takes: so many elements of a type.
struct Own {
  MPI_Count count;
  MPI_Datatype type;
};

const Own right = {3, MPI_INT};
const Own negative = {-1, MPI_INT};
const Own untyped = {3, MPI_DATATYPE_NULL};
const Own empty = {0, MPI_DATATYPE_NULL};  // some MPI libraries take it

std::array<int, ranks * 3> buffer;

TEST(RefusedAlone, IsAReductionWithoutAnOperation) {
  EXPECT_TRUE(
      AllreduceCall(buffer.data(), buffer.data(), 3, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD, false).is_refused_alone());
  EXPECT_FALSE(
      AllreduceCall(buffer.data(), buffer.data(), 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, false).is_refused_alone());
}

bool is_broadcast_refused(const Own& own) {
  return BcastCall(buffer.data(), own.count, own.type, 0, MPI_COMM_WORLD, false).is_refused_alone();
}

bool is_allgather_refused(const Own& own, const void* from) {
  return AllgatherCall({from, own.count, own.type, buffer.data(), MPI_INT, MPI_COMM_WORLD, false}, 3)
      .is_refused_alone();
}

bool is_alltoall_refused(const Own& own, const void* from) {
  return AlltoallCall(from, own.count, own.type, buffer.data(), 3, MPI_INT, MPI_COMM_WORLD, false).is_refused_alone();
}

bool is_gather_refused(const Own& own, const void* from) {
  return RootedGatherCall(from, own.count, own.type, buffer.data(), 3, MPI_INT, 0, MPI_COMM_WORLD, false)
      .is_refused_alone();
}

bool is_gatherv_refused(const Own& own, const void* from) {
  const std::array<int, ranks> threes = {3, 3};
  const BlocksByRank blocks = {buffer.data(), NumbersByRank(threes.data()), NumbersByRank(threes.data()), MPI_INT};
  return GathervCall({from, own.count, own.type}, blocks, 0, MPI_COMM_WORLD, false).is_refused_alone();
}

/// `own`: of what it sends to the last rank, and the type of all.
bool is_alltoallv_refused(const Own& own, const void* from) {
  const std::array<int, ranks> threes = {3, 3};
  const std::array<int, ranks> sent = {0, static_cast<int>(own.count)};
  const BlocksByRank send = {from, NumbersByRank(sent.data()), NumbersByRank(threes.data()), own.type};
  const BlocksByRank receive = {buffer.data(), NumbersByRank(threes.data()), NumbersByRank(threes.data()), MPI_INT};
  return AlltoallvCall(send, receive, MPI_COMM_WORLD, false).is_refused_alone() ||
         AlltoallvCall(receive, send, MPI_COMM_WORLD, false).is_refused_alone();
}

/// Looks at calls of all ranks. `refused`: one with such a part.
template <class Refused>
void expect_negative_and_untyped(const Refused& refused) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int /*rank*/) {
    EXPECT_TRUE(refused(negative));
    EXPECT_TRUE(refused(untyped));
    EXPECT_FALSE(refused(empty));
    EXPECT_FALSE(refused(right));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(RefusedAlone, IsABroadcastOfSuchAVector) { expect_negative_and_untyped(is_broadcast_refused); }

class RefusedPart : public ::testing::TestWithParam<bool (*)(const Own&, const void*)> {};

TEST_P(RefusedPart, RefusesTheCall) {
  expect_negative_and_untyped([&](const Own& own) { return GetParam()(own, buffer.data()); });
}

// MPI looks at none of it then.
TEST_P(RefusedPart, MayBeAnythingInPlace) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    if (rank != 0) return;  // not a root
    for (const Own& own : {negative, untyped}) EXPECT_FALSE(GetParam()(own, MPI_IN_PLACE));
  });
  EXPECT_EQ(outcome.trouble, "");
}

INSTANTIATE_TEST_SUITE_P(Calls, RefusedPart,
                         ::testing::Values(is_allgather_refused, is_alltoall_refused, is_gather_refused,
                                           is_gatherv_refused));

TEST(RefusedAlone, IsAnExchangeWithSuchABlock) {
  expect_negative_and_untyped([](const Own& own) { return is_alltoallv_refused(own, buffer.data()); });
}

}  // namespace
}  // namespace airamp::pmpi
