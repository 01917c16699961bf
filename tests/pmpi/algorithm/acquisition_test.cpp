// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/acquisition.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "pmpi/algorithm/abilities/buffer_bound.hpp"
#include "pmpi/job/job.hpp"
#include "tests/pmpi/algorithm/acquired.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::HasSubstr;

/// Why no rank of three gets an algorithm; empty if all do. `set`: before it is acquired.
std::string why_not(AlgorithmId id, const LocalFacts& facts, const std::function<void(int rank)>& set,
                    const Plan& plan = {.ranks = 3}) {
  std::vector<std::string> causes(3);
  std::vector<bool> made(3);
  const Outcome outcome = run_ranks(plan, [&](int rank) {
    const AirampRank airamp(opted_in());
    set(rank);
    const AcquiredOnRank own(id, Kind::allreduce, facts, rank, 3);
    EXPECT_EQ(own.acquired.error, MPI_SUCCESS);
    made[static_cast<std::size_t>(rank)] = own.acquired.algorithm != nullptr;
    causes[static_cast<std::size_t>(rank)] = own.acquired.why_not;
  });
  EXPECT_EQ(outcome.trouble, "");
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(made[rank], made[0]);
    EXPECT_EQ(causes[rank], causes[0]);
  }
  EXPECT_EQ(made[0], causes[0].empty());
  return causes[0];
}

void nothing(int) {}

TEST(Acquisition, OverMpiNeedsNothingSpecial) {
  EXPECT_EQ(why_not(AlgorithmId::mpi_two_shot, compressed_facts(1000), nothing), "");
}

TEST(Acquisition, OneRankOverItsBudgetIsEnoughToRefuse) {
  EXPECT_THAT(why_not(AlgorithmId::mpi_two_shot, compressed_facts(1000),
                      [](int rank) {
                        if (rank == 1) job().settings.host_scratch = 1000;
                      }),
              HasSubstr("AIRAMP_HOST_SCRATCH"));
}

TEST(Acquisition, OneRankWithoutMemoryIsEnoughToRefuse) {
  EXPECT_THAT(why_not(AlgorithmId::mpi_two_shot, compressed_facts(1000),
                      [](int rank) {
                        if (rank == 2) job().ranks_on_host = 1 << 30;
                      }),
              HasSubstr("nearly used up"));
}

// With MPI_THREAD_MULTIPLE no tag comes round again.
TEST(Acquisition, TagsMayRunOut) {
  EXPECT_THAT(why_not(AlgorithmId::mpi_two_shot, compressed_facts(1000), nothing,
                      {.ranks = 3, .threads = true, .largest_tag = 1}),
              HasSubstr("tags"));
}

TEST(Acquisition, PersistentAllreducesAreThoseOfTheLibrary) {
  EXPECT_EQ(why_not(AlgorithmId::native_persistent, compressed_facts(1000), nothing), "");
  LocalFacts half = compressed_facts(1000);
  half.type = DataType::bfloat16;
  EXPECT_EQ(why_not(AlgorithmId::native_persistent, half, nothing), "");
}

TEST(Acquisition, APersistentAllreduceIsBoundToBuffersAndAdds) {
  const Outcome outcome = run_ranks({.ranks = 3, .seed = 5}, [&](int rank) {
    const AirampRank airamp(opted_in());
    AcquiredOnRank own(AlgorithmId::native_persistent, Kind::allreduce, compressed_facts(2), rank, 3);
    ASSERT_NE(own.acquired.algorithm, nullptr);
    BufferBound* const bound = own->buffer_bound();
    ASSERT_NE(bound, nullptr);
    std::vector<float> values = {1.0F * static_cast<float>(rank), 1};
    std::vector<float> sums(2);
    const CollectiveData data{.input = values.data(), .output = sums.data(), .elements = 2, .blocks = {}};
    const Result<bool> ready = own->prepare_trial(data);
    EXPECT_TRUE(ready.ok() && *ready);
    EXPECT_EQ(own->execute(data), MPI_SUCCESS);
    own->end_trial();
    EXPECT_THAT(sums, ::testing::ElementsAre(3, 3));
    EXPECT_FALSE(bound->recurs(data));
    for (int call = 0; call < 4; ++call) {
      sums = {0, 0};
      const Result<bool> done = bound->execute_agreed(data, bound->recurs(data));
      EXPECT_TRUE(done.ok() && *done);
      EXPECT_THAT(sums, ::testing::ElementsAre(3, 3));
      EXPECT_TRUE(bound->recurs(data));
    }
    const Result<bool> done = bound->execute_agreed(data, false);
    EXPECT_TRUE(done.ok() && !*done);  // one call with other buffers is an exception
    EXPECT_EQ(bound->why_given_up(), "");
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST(Acquisition, APersistentAllreduceWhoseBuffersChangeTooOftenIsGivenUp) {
  const Outcome outcome = run_ranks({.ranks = 2, .seed = 5}, [&](int rank) {
    const AirampRank airamp(opted_in());
    AcquiredOnRank own(AlgorithmId::native_persistent, Kind::allreduce, compressed_facts(2), rank, 2);
    ASSERT_NE(own.acquired.algorithm, nullptr);
    BufferBound* const bound = own->buffer_bound();
    std::vector<float> values(100, 1);
    std::size_t call = 0;
    for (; call < 50 && bound->why_given_up().empty(); ++call) {
      const CollectiveData data{.input = &values[call], .output = &values[call], .elements = 1, .blocks = {}};
      const Result<bool> done = bound->execute_agreed(data, bound->recurs(data));
      ASSERT_TRUE(done.ok());
      EXPECT_EQ(values[call], *done ? 2 : 1);
    }
    EXPECT_EQ(call, 19U);  // nine bindings, each after one exception
    EXPECT_THAT(std::string(bound->why_given_up()), HasSubstr("change too often"));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Acquisition, OneRankWithoutMemoryMakesNoPersistentRequest) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    const AirampRank airamp(opted_in());
    AcquiredOnRank own(AlgorithmId::native_persistent, Kind::allreduce, compressed_facts(2), rank, 2);
    ASSERT_NE(own.acquired.algorithm, nullptr);
    if (rank == 1) job().ranks_on_host = 1 << 30;
    std::vector<float> values(1 << 16, 1);  // of a few pages the host is not asked
    const CollectiveData data{.input = values.data(), .output = values.data(), .elements = values.size(), .blocks = {}};
    const Result<bool> done = own->buffer_bound()->execute_agreed(data, false);
    EXPECT_TRUE(done.ok() && !*done);
    EXPECT_THAT(std::string(own->buffer_bound()->why_given_up()), HasSubstr("memory"));
  });
  EXPECT_EQ(outcome.trouble, "");
}

// On host memory, where no GPU is: what needs one says so on all ranks, and nobody waits.
TEST(Acquisition, WhatNeedsGpusSaysWhyItCannotBeHad) {
  for (const AlgorithmId id : {AlgorithmId::peer_one_shot, AlgorithmId::peer_two_shot, AlgorithmId::peer_compressed,
                               AlgorithmId::two_level, AlgorithmId::two_level_compressed, AlgorithmId::ccl}) {
    LocalFacts facts = compressed_facts(1000);
    facts.memory = Memory::device;
    facts.lossless = true;
    EXPECT_NE(why_not(id, facts, nothing), "") << to_string(id);
  }
}

TEST(Acquisition, ErrorsOfMpiEndTheCall) {
  for (const char* function : {"Allreduce", "Comm_group", "Comm_split"}) {
    const Outcome outcome = run_ranks(
        {.ranks = 2, .failures = {{.function = function, .rank = 1, .call = 2, .code = MPI_ERR_NO_MEM}}}, [](int rank) {
          const AirampRank airamp(opted_in());
          const AcquiredOnRank first(AlgorithmId::mpi_two_shot, Kind::allreduce, compressed_facts(1000), rank, 2);
          const AcquiredOnRank second(AlgorithmId::native_persistent, Kind::allreduce, compressed_facts(1000), rank, 2);
          EXPECT_TRUE(first.acquired.error != MPI_SUCCESS || second.acquired.error != MPI_SUCCESS ||
                      second.acquired.algorithm == nullptr || first.acquired.algorithm == nullptr);
        });
    EXPECT_EQ(outcome.trouble, "") << function;
    EXPECT_TRUE(outcome.ended) << function;
  }
}

}  // namespace
}  // namespace airamp::pmpi
