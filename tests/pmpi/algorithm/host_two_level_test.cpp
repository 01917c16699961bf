// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/host_two_level.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/pmpi/algorithm/acquired.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::ElementsAreArray;

struct Grid {
  int ranks;
  int on_host;
};

config::Settings settings_of(const Grid& grid) { return {.ranks_per_host = grid.on_host}; }

LocalFacts integers(std::size_t elements) {
  return {.lossless = true, .type = DataType::int32, .memory = Memory::host, .bytes = elements * sizeof(std::int32_t)};
}

/// Runs a program on the emulated hosts of a grid.
void on_grid(const Grid& grid, const std::function<void(int rank)>& program) {
  const Outcome outcome = run_ranks({.ranks = grid.ranks}, [&](int rank) {
    const AirampRank airamp(settings_of(grid));
    program(rank);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

class HostTwoLevel : public ::testing::TestWithParam<Grid> {};

/// Fewer elements than ranks, parts that are empty, a chunk, and several with an odd end.
TEST_P(HostTwoLevel, AddsAcrossHosts) {
  const Grid grid = GetParam();
  for (const std::size_t elements : {1U, 5U, 100U, 2049U, 16384U, 150001U}) {
    on_grid(grid, [&](int rank) {
      const AcquiredOnRank algorithm(AlgorithmId::host_two_level, Kind::allreduce, integers(elements), rank,
                                     grid.ranks);
      ASSERT_EQ(algorithm.acquired.why_not, "");
      std::vector<std::int32_t> expected(elements);
      for (const bool in_place : {false, true, false}) {
        std::vector<std::int32_t> input(elements);
        std::iota(input.begin(), input.end(), 1000 * rank);
        std::vector<std::int32_t> output = input;
        CollectiveData data;
        data.input = in_place ? output.data() : input.data();
        data.output = output.data();
        data.elements = elements;
        data.outputs = 1;
        native().MPI_Barrier(MPI_COMM_WORLD);  // as the agreement before each call
        ASSERT_EQ(algorithm->execute(data), MPI_SUCCESS);
        EXPECT_EQ(algorithm->why_called_off(), Reason::none);
        for (std::size_t i = 0; i < elements; ++i)
          expected[i] = grid.ranks * static_cast<int>(i) + 500 * grid.ranks * (grid.ranks - 1);
        ASSERT_THAT(output, ElementsAreArray(expected)) << elements << " elements, in place: " << in_place;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, HostTwoLevel,
                         ::testing::Values(Grid{4, 2}, Grid{6, 2}, Grid{6, 3}, Grid{9, 3}, Grid{8, 2}),
                         [](const auto& grid) {
                           return std::to_string(grid.param.ranks) + "RanksOf" + std::to_string(grid.param.on_host);
                         });

std::string why_not(const Grid& grid) {
  std::vector<std::string> said(static_cast<std::size_t>(grid.ranks));
  on_grid(grid, [&](int rank) {
    const AcquiredOnRank algorithm(AlgorithmId::host_two_level, Kind::allreduce, integers(1000), rank, grid.ranks);
    said[static_cast<std::size_t>(rank)] = algorithm.acquired.why_not;
  });
  EXPECT_THAT(said, ::testing::Each(said.front()));
  return said.front();
}

TEST(HostTwoLevelGroup, IsForSeveralHostsOfAsManyRanks) {
  EXPECT_EQ(why_not({.ranks = 4, .on_host = 4}), "no two levels: its ranks are on one host");
  EXPECT_EQ(why_not({.ranks = 5, .on_host = 2}), "no two levels: its hosts have different numbers of its ranks");
  EXPECT_EQ(why_not({.ranks = 3, .on_host = 1}), "no two levels: it has one rank on each host");
}

}  // namespace
}  // namespace airamp::pmpi
