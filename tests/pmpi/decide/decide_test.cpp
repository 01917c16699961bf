// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/decide.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "pmpi/job/job.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::set_costs;
using Step = tuner::SignatureTuner::Step;
constexpr int native_choice = tuner::SignatureTuner::native_choice;
constexpr std::size_t elements = 2000;
constexpr ::airamp::testing::Costs slow_native{.collective_seconds = 1};
constexpr ::airamp::testing::Costs slow_messages{.message_seconds = 1};

std::vector<float> sum_of(int ranks) {
  std::vector<float> sums(elements);
  for (int rank = ranks; rank-- > 0;) {
    const std::vector<float> own = contribution(rank, elements);
    for (std::size_t i = 0; i < elements; ++i) sums[i] += own[i];
  }
  return sums;
}

double relative_error(const std::vector<float>& values, const std::vector<float>& exact) {
  double squared_error = 0;
  double squared = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squared_error += std::pow(double{values[i]} - exact[i], 2);
    squared += std::pow(exact[i], 2);
  }
  return std::sqrt(squared_error / squared);
}

/// A call of the application's, whose result is right.
void call_once(int rank, int ranks, double bound) {
  std::vector<float> values = contribution(rank, elements);
  EXPECT_EQ(allreduce(values), MPI_SUCCESS);
  EXPECT_LE(relative_error(values, sum_of(ranks)), bound);
}

constexpr double exact = 1e-6;
constexpr double lossy = 0.05;

class Life : public ::testing::TestWithParam<int> {};

// 2 * warm-up calls with native alone, warm-up calls that measure, the decision, another measurement after 8 calls:
// native alone, then both.
TEST_P(Life, MeasuresDecidesAndMeasuresAgain) {
  const int ranks = GetParam();
  const Outcome outcome = run_ranks({.ranks = ranks, .seed = 11}, [&](int rank) {
    const AirampRank airamp(opted_in());
    set_costs(slow_native);
    std::vector<Step> steps;
    for (int call = 0; call < 18; ++call) {
      call_once(rank, ranks, call < 6 ? exact : lossy);
      SignatureState* const signature = only_signature();
      ASSERT_NE(signature, nullptr);
      steps.push_back(signature->tuner.next());
      EXPECT_EQ(signature->tuner.decided(), call >= 5);
      EXPECT_EQ(signature->tuner.choice(), call >= 5 ? 0 : native_choice);
    }
    using enum Step;
    EXPECT_THAT(steps, ::testing::ElementsAre(native_alone, native_alone, native_alone, measurement, measurement,
                                              choice, choice, choice, choice, choice, choice, choice, choice,
                                              native_alone, measurement, choice, choice, choice));
    EXPECT_EQ(only_signature()->calls, 18U);
    EXPECT_EQ(only_signature()->tuning_calls, 3U);
    EXPECT_EQ(only_signature()->accelerated_calls, 10U);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST_P(Life, StaysNativeWhereThatIsFaster) {
  const int ranks = GetParam();
  const Outcome outcome = run_ranks({.ranks = ranks, .seed = 12}, [&](int rank) {
    const AirampRank airamp(opted_in());
    set_costs(slow_messages);
    for (int call = 0; call < 40; ++call) call_once(rank, ranks, exact);
    SignatureState* const signature = only_signature();
    ASSERT_NE(signature, nullptr);
    EXPECT_EQ(signature->tuner.choice(), native_choice);
    EXPECT_EQ(signature->accelerated_calls, 0U);
    EXPECT_FALSE(signature->acquired);  // given back
    EXPECT_LT(signature->calls, 40U);   // the gate lets most of them pass without an agreement
  });
  EXPECT_EQ(outcome.trouble, "");
}

INSTANTIATE_TEST_SUITE_P(Ranks, Life, ::testing::Values(2, 3, 5, 7));

// Times must speak against a decision twice before it changes.
TEST(Accelerate, ChangesItsMindWhenNativeBecomesFaster) {
  const Outcome outcome = run_ranks({.ranks = 3, .seed = 2}, [&](int rank) {
    const AirampRank airamp(opted_in());
    set_costs(slow_native);
    for (int call = 0; call < 6; ++call) call_once(rank, 3, exact);
    EXPECT_EQ(only_signature()->tuner.choice(), 0);
    native().MPI_Barrier(MPI_COMM_WORLD);
    set_costs(slow_messages);
    int calls = 0;
    for (; calls < 40 && only_signature()->tuner.choice() == 0; ++calls) call_once(rank, 3, lossy);
    EXPECT_EQ(calls, 20);  // two windows of 8 calls, each with two that measure
    EXPECT_EQ(only_signature()->tuner.choice(), native_choice);
    call_once(rank, 3, exact);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Accelerate, AnErrorAboveTheBoundEndsTheCandidate) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.max_relative_error = 1e-4;
    const AirampRank airamp(settings);
    set_costs(slow_native);
    for (int call = 0; call < 10; ++call) call_once(rank, 2, exact);
    EXPECT_EQ(only_signature()->tuner.choice(), native_choice);
    EXPECT_EQ(only_signature()->tuner.why().reason, Reason::error_above_bound);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Accelerate, AnImposedPathIsTakenAtOnce) {
  const Outcome outcome = run_ranks({.ranks = 3}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    const AirampRank airamp(settings);
    for (int call = 0; call < 3; ++call) call_once(rank, 3, lossy);
    EXPECT_EQ(only_signature()->accelerated_calls, 3U);
    EXPECT_EQ(only_signature()->tuning_calls, 0U);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Accelerate, AnImposedPersistentPathIsBoundToTheBuffers) {
  const Outcome outcome = run_ranks({.ranks = 3}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::native_persistent;
    const AirampRank airamp(settings);
    std::vector<float> values(elements);
    for (int call = 0; call < 5; ++call) {
      std::ranges::copy(contribution(rank, elements), values.begin());
      EXPECT_EQ(allreduce(values), MPI_SUCCESS);
      EXPECT_LE(relative_error(values, sum_of(3)), exact);
    }
    EXPECT_EQ(only_signature()->accelerated_calls, 5U);
    // other buffers on one rank: nobody runs the request
    std::vector<float> others = contribution(rank, elements);
    std::vector<float>& used = rank == 1 ? others : values;
    std::ranges::copy(contribution(rank, elements), used.begin());
    EXPECT_EQ(allreduce(used), MPI_SUCCESS);
    EXPECT_LE(relative_error(used, sum_of(3)), exact);
    EXPECT_EQ(only_signature()->accelerated_calls, 5U);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Accelerate, WhatCannotBeAcquiredStaysNative) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.host_scratch = rank == 1 ? 0 : settings.host_scratch;
    const AirampRank airamp(settings);
    for (int call = 0; call < 10; ++call) call_once(rank, 2, exact);
    EXPECT_THAT(only_signature()->why_not_acquired, ::testing::HasSubstr("AIRAMP_HOST_SCRATCH"));
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Messages keep the promise, in the first call as in later ones.
TEST(Accelerate, APromisedOrderIsKeptOnSeveralHosts) {
  const Outcome outcome = run_ranks({.ranks = 5}, [&](int rank) {
    const AirampRank airamp({.reduction_order = ReductionOrder::fixed, .ranks_per_host = 1});
    std::vector<std::vector<float>> given;
    for (int peer = 0; peer < 5; ++peer) given.push_back(contribution(peer, elements));
    std::vector<float> expected(elements);
    for (std::size_t i = 0; i < elements; ++i) {
      expected[i] = ((given[0][i] + given[1][i]) + (given[2][i] + given[3][i])) + given[4][i];
    }
    for (int call = 0; call < 40; ++call) {
      std::vector<float> values = given[static_cast<std::size_t>(rank)];
      EXPECT_EQ(allreduce(values), MPI_SUCCESS);
      EXPECT_TRUE(bits_of(values) == bits_of(expected));
    }
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_EQ(only_signature()->why().reason, Reason::order_promised);
    EXPECT_EQ(only_signature()->accelerated_calls, 40U);
    EXPECT_EQ(only_signature()->tuning_calls, 0U);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

// The report says so, and the ranks do not ask in vain for ever.
TEST(Accelerate, APromisedOrderThatCannotBeKeptIsNative) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    const AirampRank airamp({.host_scratch = 0, .reduction_order = ReductionOrder::fixed, .ranks_per_host = 1});
    for (int call = 0; call < 40; ++call) call_once(rank, 2, exact);
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_EQ(only_signature()->why().reason, Reason::not_acquired);
    EXPECT_EQ(only_signature()->why().detail,
              "reduction_order=fixed does not hold: no shared memory: its ranks are on several hosts; some rank's "
              "scratch would exceed host_scratch (AIRAMP_HOST_SCRATCH)");
    EXPECT_EQ(only_signature()->accelerated_calls, 0U);
    EXPECT_EQ(only_signature()->tuning_calls, 0U);
    EXPECT_LT(only_signature()->calls, 20U);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// MPI_Pcontrol(0) on one rank is enough, and MPI_Pcontrol(1) is heard in the next call.
TEST(Accelerate, OneRankThatIsSwitchedOffSuspendsAll) {
  const Outcome outcome = run_ranks({.ranks = 3}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    const AirampRank airamp(settings);
    job().wanted = rank != 1;
    for (int call = 0; call < 3; ++call) call_once(rank, 3, exact);
    EXPECT_EQ(only_signature(), nullptr);
    job().wanted = true;
    call_once(rank, 3, lossy);
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_EQ(only_signature()->accelerated_calls, 1U);
    const auto& refusals = communicator_state(MPI_COMM_WORLD)->refusals;
    ASSERT_EQ(refusals.size(), 1U);
    EXPECT_EQ(refusals.begin()->second.calls, 3U);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Accelerate, SettingsThatOneRankDoesNotShareKeepItNative) {
  const Outcome outcome = run_ranks({.ranks = 3}, [&](int rank) {
    config::Settings settings = opted_in();
    if (rank == 2) settings.lossy_types = config::lossy_float16;
    const AirampRank airamp(settings);
    for (int call = 0; call < 20; ++call) call_once(rank, 3, exact);
    EXPECT_EQ(only_signature(), nullptr);
    EXPECT_EQ(communicator_state(MPI_COMM_WORLD)->refusals.size(), 1U);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Calls of two lengths in turns: once PoLA has locked, the ranks ask along with their data, and one that does not
// consent is heard.
TEST(Accelerate, ExpectedCallsAskAlongAndAVetoIsHeard) {
  const Outcome outcome = run_ranks({.ranks = 3, .seed = 4}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    const AirampRank airamp(settings);
    const auto call_both = [&] {
      call_once(rank, 3, lossy);
      std::vector<float> longer = contribution(rank, 3 * elements);
      EXPECT_EQ(allreduce(longer), MPI_SUCCESS);
    };
    for (int call = 0; call < 100; ++call) call_both();
    const auto& signatures = communicator_state(MPI_COMM_WORLD)->signatures;
    ASSERT_EQ(signatures.size(), 2U);
    const SignatureState& signature = signatures.begin()->second;
    const std::uint64_t asked = signature.piggybacked_calls;
    EXPECT_GT(asked, 5U);
    EXPECT_EQ(signature.vetoed_calls, 0U);
    job().wanted = rank != 2;
    call_once(rank, 3, exact);
    EXPECT_EQ(signature.vetoed_calls, 1U);
    EXPECT_EQ(signature.piggybacked_calls, asked);
    job().wanted = true;
    for (int call = 0; call < 10; ++call) call_both();
    EXPECT_GT(signature.piggybacked_calls, asked);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST(Accelerate, PolaLooksOnlyWhereSomethingGainsByIt) {
  for (const config::Force force : {config::Force::native_persistent, config::Force::mpi_two_shot}) {
    const Outcome outcome = run_ranks({.ranks = 3, .seed = 4}, [&](int rank) {
      config::Settings settings = opted_in();
      settings.force = force;
      const AirampRank airamp(settings);
      for (int call = 0; call < 10; ++call) call_once(rank, 3, lossy);
      EXPECT_EQ(only_signature()->calls, 10U);
      // of the first call it is not known yet
      const std::uint64_t events = communicator_state(MPI_COMM_WORLD)->pola.counters().events;
      EXPECT_EQ(events, force == config::Force::mpi_two_shot ? 9U : 0U);
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

TEST(Accelerate, ReceivesMayBePostedAhead) {
  const Outcome outcome = run_ranks({.ranks = 3, .seed = 4}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    settings.pola_post_receives = true;
    const AirampRank airamp(settings);
    for (int call = 0; call < 60; ++call) call_once(rank, 3, lossy);
    EXPECT_EQ(only_signature()->calls, 60U);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST(Accelerate, GathersAreCompressedAsWell) {
  const Outcome outcome = run_ranks({.ranks = 3, .seed = 4}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    const AirampRank airamp(settings);
    const std::vector<float> own = contribution(rank, elements);
    std::vector<float> all(3 * elements);
    const GatherArguments arguments{own.data(), elements, MPI_FLOAT, all.data(), MPI_FLOAT, MPI_COMM_WORLD, false};
    const AllgatherCall call(arguments, elements);
    EXPECT_EQ(
        accelerate(call, {.state = communicator_state(MPI_COMM_WORLD), .no_compression = Reason::none}, call.bytes()),
        MPI_SUCCESS);
    for (int peer = 0; peer < 3; ++peer) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(elements) * peer;
      EXPECT_LE(relative_error({begin, begin + elements}, contribution(peer, elements)), lossy);
    }
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_EQ(only_signature()->accelerated_calls, 1U);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Seeds are other schedules: the results are the same bits on all ranks, whatever they are.
TEST(Accelerate, NoScheduleChangesAResult) {
  std::vector<std::byte> first;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Outcome outcome = run_ranks({.ranks = 4, .seed = seed}, [&](int rank) {
      config::Settings settings = opted_in();
      settings.force = config::Force::mpi_two_shot;
      const AirampRank airamp(settings);
      for (int call = 0; call < 3; ++call) {
        std::vector<float> values = contribution(rank, elements);
        EXPECT_EQ(allreduce(values), MPI_SUCCESS);
        if (first.empty()) first = bits_of(values);
        EXPECT_TRUE(bits_of(values) == first);
      }
    });
    EXPECT_EQ(outcome.trouble, "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace airamp::pmpi
