// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A program of the application's from MPI_Init to MPI_Finalize, as its calls come to AIRamp.
#include "pmpi/entry/lifecycle.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pmpi/entry/hooks.hpp"
#include "pmpi/job/job.hpp"
#include "tests/pmpi/entry/environment.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::Failure;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr std::size_t elements = 600;

/// A sum of 1 from every rank; whether it is right, compressed or not, where it returns MPI_SUCCESS.
int sum_ones(int ranks, bool& right) {
  std::vector<float> values(elements, 1);
  const int error = on_MPI_Allreduce(MPI_IN_PLACE, values.data(), elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  right = values == std::vector<float>(elements, static_cast<float>(ranks));
  return error;
}

/// The whole program on one rank; the first error that it saw.
int run_program(int ranks) {
  if (const int error = on_MPI_Init(nullptr, nullptr); error != MPI_SUCCESS) return error;
  for (int call = 0; call < 2; ++call) {
    bool right = false;
    if (const int error = sum_ones(ranks, right); error != MPI_SUCCESS) return error;
    EXPECT_TRUE(right);
  }
  return on_MPI_Finalize();
}

TEST(Lifecycle, IsOnFromInitToFinalize) {
  const Environment environment(compressed());
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    EXPECT_FALSE(job().on);
    EXPECT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    EXPECT_TRUE(job().on);
    EXPECT_TRUE(stops_in_finalize());
    EXPECT_EQ(job().rank, rank);
    EXPECT_EQ(job().size, 3);
    start();  // as an MPI library does that comes to MPI_Init twice
    bool right = false;
    EXPECT_EQ(sum_ones(3, right), MPI_SUCCESS);
    EXPECT_TRUE(right);
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_EQ(only_signature()->accelerated_calls, 1U);
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
    EXPECT_FALSE(job().on);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST(Lifecycle, BeginsInInitThreadAsWell) {
  const Environment environment({});
  const Outcome outcome = run_ranks({.ranks = 2, .threads = true}, [](int) {
    int provided = -1;
    EXPECT_EQ(on_MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
    EXPECT_EQ(provided, MPI_THREAD_MULTIPLE);
    EXPECT_TRUE(job().on);
    EXPECT_TRUE(job().several_threads);
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Lifecycle, EndsBeforeFinalizeWhereNoAttributeCanTell) {
  const Environment environment({});
  const Outcome outcome =
      run_ranks({.ranks = 2, .failures = {{.function = "Comm_create_keyval", .rank = 1}}}, [](int rank) {
        native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        EXPECT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
        EXPECT_EQ(stops_in_finalize(), rank == 0);
        EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
        EXPECT_FALSE(job().on);
      });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Lifecycle, StaysOffWhereTheUserSaysSoOrWroteAMistake) {
  const std::map<std::string, std::string> reasons = {{"AIRAMP_DISABLE", "disabled by the settings"},
                                                      {"AIRAMP_MIN_BYTES", "has errors"}};
  for (const auto& [variable, reason] : reasons) {
    const Environment environment({{variable, variable == "AIRAMP_DISABLE" ? "true" : "many"}});
    const Outcome outcome = run_ranks({.ranks = 2}, [&](int) {
      EXPECT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
      EXPECT_FALSE(job().on);
      EXPECT_THAT(job().why_off, HasSubstr(reason));
      bool right = false;
      EXPECT_EQ(sum_ones(2, right), MPI_SUCCESS);
      EXPECT_TRUE(right);
      EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

TEST(Lifecycle, WritesTheReportWithTheCallsOfRankZero) {
  const auto file = std::filesystem::temp_directory_path() / ("lifecycle_test." + std::to_string(getpid()) + ".json");
  auto variables = compressed();
  variables["AIRAMP_REPORT"] = file.string();
  const Environment environment(variables);
  std::vector<int> errors(3, MPI_ERR_OTHER);
  const Outcome outcome =
      run_ranks({.ranks = 3}, [&](int rank) { errors[static_cast<std::size_t>(rank)] = run_program(3); });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_THAT(errors, Each(MPI_SUCCESS));
  std::ifstream stream(file);
  const auto report = nlohmann::json::parse(stream, nullptr, false);
  std::filesystem::remove(file);
  ASSERT_FALSE(report.is_discarded());
  ASSERT_EQ(report.at("signatures").size(), 1U);
  EXPECT_EQ(report.at("signatures")[0].at("function"), "MPI_Allreduce");
  EXPECT_EQ(report.at("signatures")[0].at("calls"), 2);
  EXPECT_EQ(report.at("signatures")[0].at("accelerated_calls"), 2);
}

/// Collectives of AIRamp's own whose errors are returned, so that the job goes on. Who fails in one of them alone
/// leaves the others waiting there; nothing but MPI could tell them.
bool strands_others(const std::string& function) { return function == "Comm_split_type" || function == "Barrier"; }

/// Each call of MPI from MPI_Init to MPI_Finalize fails once; on rank 0, which decides more, the last of each function.
TEST(Lifecycle, SurvivesTheFailureOfAnyCall) {
  constexpr int ranks = 3;
  const Environment environment(compressed());
  std::vector<int> errors;
  const auto run = [&](const std::vector<Failure>& failures) {
    errors.assign(ranks, MPI_SUCCESS);
    return run_ranks({.ranks = ranks, .failures = failures},
                     [&](int rank) { errors[static_cast<std::size_t>(rank)] = run_program(ranks); });
  };
  const Outcome whole = run({});
  ASSERT_EQ(whole.trouble, "");
  ASSERT_THAT(errors, Each(MPI_SUCCESS));
  for (const int rank : {0, ranks - 1}) {
    for (const auto& [function, calls] : whole.calls[static_cast<std::size_t>(rank)]) {
      for (int call = rank == 0 ? calls : 1; call <= calls && !strands_others(function); ++call) {
        const Outcome outcome = run({{.function = function, .rank = rank, .call = call, .code = MPI_ERR_NO_MEM}});
        const std::string where = function + ", call " + std::to_string(call) + " of rank " + std::to_string(rank);
        EXPECT_EQ(outcome.trouble, "") << where;
        const bool failed = errors[static_cast<std::size_t>(rank)] != MPI_SUCCESS;
        EXPECT_TRUE(failed || outcome.ended || errors == std::vector<int>(ranks, MPI_SUCCESS)) << where;
      }
    }
  }
}

}  // namespace
}  // namespace airamp::pmpi
