// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Every call of MPI that AIRamp makes on some rank in a scenario fails once. What must hold is the same for all: the
// rank whose call failed gets an error, unless it could do without; where errors are fatal, which ends the job, no rank
// waits for another; and whoever got no error has a result that is right.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_policy.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::Failure;
using ::airamp::testing::set_costs;

constexpr int ranks = 3;
constexpr std::size_t elements = 1500;

/// What a rank does with AIRamp.
struct Scenario {
  const char* name;
  config::Settings settings;
  int calls;
  bool gathers = false;
};

std::ostream& operator<<(std::ostream& stream, const Scenario& scenario) { return stream << scenario.name; }

/// One call of a scenario; whether its result is right where it returns MPI_SUCCESS.
int run_call(const Scenario& scenario, int rank, bool& right) {
  std::vector<float> expected(elements);
  std::vector<float> got;
  int error = MPI_SUCCESS;
  if (scenario.gathers) {
    const std::vector<float> own = contribution(rank, elements);
    std::vector<float> all(ranks * elements);
    const GatherArguments arguments{own.data(), elements, MPI_FLOAT, all.data(), MPI_FLOAT, MPI_COMM_WORLD, false};
    const AllgatherCall call(arguments, elements);
    CommunicatorState* const state = communicator_state(MPI_COMM_WORLD);
    error = state == nullptr ? MPI_ERR_NO_MEM
                             : accelerate(call, {.state = state, .no_compression = Reason::none}, call.bytes());
    got.assign(all.begin() + elements, all.begin() + 2 * elements);
    expected = contribution(1, elements);
  } else {
    got = contribution(rank, elements);
    error = allreduce(got);
    for (int peer = 0; peer < ranks; ++peer) {
      const std::vector<float> own = contribution(peer, elements);
      for (std::size_t i = 0; i < elements; ++i) expected[i] += own[i];
    }
  }
  double squared_error = 0;
  double squared = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    squared_error += std::pow(double{got[i]} - expected[i], 2);
    squared += std::pow(double{expected[i]}, 2);
  }
  right = squared_error <= 0.0025 * squared;
  return error;
}

/// Runs a scenario. `errors`: by rank, of the first call that failed.
Outcome run(const Scenario& scenario, const std::vector<Failure>& failures, std::vector<int>& errors) {
  errors.assign(ranks, MPI_SUCCESS);
  return run_ranks({.ranks = ranks, .seed = 9, .failures = failures}, [&](int rank) {
    const AirampRank airamp(scenario.settings);
    set_costs({.collective_seconds = 1});
    int& error = errors[static_cast<std::size_t>(rank)];
    for (int call = 0; call < scenario.calls && error == MPI_SUCCESS; ++call) {
      bool right = false;
      error = run_call(scenario, rank, right);
      EXPECT_TRUE(right || error != MPI_SUCCESS) << "rank " << rank << ", call " << call;
    }
  });
}

/// The numbers of calls that are tried: ever fewer, and the last.
std::vector<int> tried(int calls) {
  std::vector<int> numbers;
  for (int number = 1; number < calls; number += 1 + number / 2) numbers.push_back(number);
  numbers.push_back(calls);
  return numbers;
}

class EveryFailure : public ::testing::TestWithParam<Scenario> {};

TEST_P(EveryFailure, IsAnErrorAndNoRankWaitsForEver) {
  const Scenario& scenario = GetParam();
  std::vector<int> errors;
  const Outcome whole = run(scenario, {}, errors);
  ASSERT_EQ(whole.trouble, "");
  ASSERT_THAT(errors, ::testing::Each(MPI_SUCCESS));
  std::size_t failures = 0;
  for (const int rank : {0, ranks - 1}) {
    for (const auto& [function, calls] : whole.calls[static_cast<std::size_t>(rank)]) {
      for (const int call : rank == 0 ? std::vector<int>{calls} : tried(calls)) {
        const Failure failure{.function = function, .rank = rank, .call = call, .code = MPI_ERR_NO_MEM};
        const Outcome outcome = run(scenario, {failure}, errors);
        const std::string where = function + ", call " + std::to_string(call) + " of rank " + std::to_string(rank);
        EXPECT_EQ(outcome.trouble, "") << where;
        const bool failed = errors[static_cast<std::size_t>(rank)] != MPI_SUCCESS;
        EXPECT_TRUE(failed || outcome.ended || errors == std::vector<int>(ranks, MPI_SUCCESS)) << where;
        ++failures;
      }
    }
  }
  EXPECT_GT(failures, 20U);
}

config::Settings imposed(config::Force force) {
  config::Settings settings = opted_in();
  settings.force = force;
  return settings;
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, EveryFailure,
    ::testing::Values(
        Scenario{.name = "tuning", .settings = opted_in(), .calls = 8},
        Scenario{.name = "two_shot", .settings = imposed(config::Force::mpi_two_shot), .calls = 3},
        Scenario{.name = "persistent", .settings = imposed(config::Force::native_persistent), .calls = 4},
        Scenario{.name = "ordered_messages",
                 .settings = {.reduction_order = ReductionOrder::exact, .ranks_per_host = 1},
                 .calls = 3},
        Scenario{.name = "gather", .settings = imposed(config::Force::mpi_two_shot), .calls = 3, .gathers = true}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace airamp::pmpi
