// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/handshake.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::HasSubstr;

/// What three ranks settle that bring what `own` says.
std::vector<Handshake> settled(const std::function<config::Loaded(int rank)>& own, const Plan& plan = {.ranks = 3}) {
  std::vector<Handshake> all(3);
  const Outcome outcome = run_ranks(plan, [&](int rank) {
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    all[static_cast<std::size_t>(rank)] = shake_hands(own(rank), rank);
  });
  EXPECT_EQ(outcome.trouble, "");
  return all;
}

config::Loaded with(const config::Settings& settings) {
  config::Loaded loaded;
  loaded.settings = settings;
  return loaded;
}

TEST(Handshake, MakesRankZerosSettingsTheJobs) {
  const auto all = settled([](int rank) {
    return with({.min_bytes = static_cast<std::uint64_t>(100 + rank), .gpu = config::Detection::no});
  });
  for (const Handshake& own : all) {
    EXPECT_TRUE(own.on);
    EXPECT_FALSE(own.gpus);
    EXPECT_EQ(own.settings.min_bytes, 100U);
    EXPECT_EQ(own.job_name, all.front().job_name);
    EXPECT_NE(own.job_name, "");
  }
}

TEST(Handshake, LeavesAIRampOffWhereRankZeroWantsItSo) {
  for (const Handshake& own : settled([](int rank) { return with({.disable = rank == 0}); })) {
    EXPECT_FALSE(own.on);
    EXPECT_EQ(own.why_off, "disabled by the settings");
  }
  for (const Handshake& own : settled([](int rank) { return with({.disable = rank == 1}); })) EXPECT_TRUE(own.on);
}

TEST(Handshake, LeavesAIRampOffWhereAConfigurationHasErrors) {
  for (const Handshake& own : settled([](int rank) {
         config::Loaded loaded;
         if (rank > 0) loaded.errors.emplace_back("a mistake");
         return loaded;
       })) {
    EXPECT_FALSE(own.on);
    EXPECT_EQ(own.why_off, "the configuration of rank 1 has errors");
  }
}

TEST(Handshake, TakesTheSettingsWordOnGpus) {
  for (const Handshake& own : settled([](int) { return with({.gpu = config::Detection::yes}); })) {
    EXPECT_TRUE(own.on);
    EXPECT_TRUE(own.gpus);
  }
}

TEST(Handshake, LeavesARankOffWhoseMpiFails) {
  for (const char* function : {"Iallreduce", "Test"}) {
    std::string why_off;
    const Outcome outcome = run_ranks({.ranks = 2, .failures = {{.function = function, .rank = 1}}}, [&](int rank) {
      const Handshake own = shake_hands({}, rank);
      EXPECT_FALSE(own.on);
      if (rank == 1) why_off = own.why_off;
    });
    EXPECT_THAT(why_off, HasSubstr("handshake in MPI_Init failed"));
    EXPECT_EQ(outcome.trouble, "");
    EXPECT_TRUE(outcome.ended);
  }
}

}  // namespace
}  // namespace airamp::pmpi
