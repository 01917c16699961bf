// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/brief_native_call.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/call/movements/rooted_movement.hpp"
#include "pmpi/entry/hooks.hpp"
#include "pmpi/entry/run_collective.hpp"
#include "pmpi/mpi/native.hpp"
#include "tests/pmpi/entry/environment.hpp"
#include "tests/pmpi/entry/forced_ranks.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::Each;

constexpr int ranks = 3;
using Complex = std::complex<double>;

std::uint64_t counted_allreduces() { return job().counters.calls(static_cast<std::size_t>(Function::MPI_Allreduce)); }

/// Products of complex numbers, which the MPI library keeps.
AllreduceCall product_of(std::vector<Complex>& values) {
  values.assign(5, 2.0);
  return AllreduceCall(MPI_IN_PLACE, values.data(), static_cast<MPI_Count>(values.size()), MPI_C_DOUBLE_COMPLEX,
                       MPI_PROD, MPI_COMM_WORLD, false);
}

/// In each rank, behind so many calls that agreements pause.
void where_calls_stay_native(void (*program)(CommunicatorState& state)) {
  const Environment environment(std::map<std::string, std::string>{});
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int /*rank*/) {
    ASSERT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    std::vector<Complex> values;
    for (int call = 0; call < 100; ++call) ASSERT_EQ(run_collective(product_of(values)), MPI_SUCCESS);
    program(*find_communicator_state(MPI_COMM_WORLD));
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(BriefNativeCall, PassesWhileAgreementsPauseAndNoLonger) {
  where_calls_stay_native([](CommunicatorState& state) {
    constexpr std::uint64_t calls = 400;
    const std::uint64_t counted_before = counted_allreduces();
    const std::uint64_t looked_at_before = state.looked_at;
    std::uint64_t passed = 0;
    for (std::uint64_t i = 0; i < calls; ++i) {
      std::vector<Complex> values;
      const AllreduceCall call = product_of(values);
      Shortcut* const known = shortcut_of(state, call);
      ASSERT_NE(known, nullptr);
      const std::uint64_t skipped = known->gated->gate.skipped();
      if (stays_native(state, *known)) {
        EXPECT_EQ(known->gated->gate.skipped(), skipped + 1);
        EXPECT_EQ(run_native_briefly(call, state, known->facts.bytes, known->native_row), MPI_SUCCESS);
        ++passed;
      } else {
        EXPECT_EQ(known->gated->gate.skipped(), skipped);
        EXPECT_EQ(run_known(call, state, *known), MPI_SUCCESS);
      }
      EXPECT_THAT(values, Each(Complex(8)));
    }
    EXPECT_EQ(counted_allreduces(), counted_before + calls);
    EXPECT_EQ(state.looked_at, looked_at_before + calls - passed);
    EXPECT_GT(passed, calls / 2);
    EXPECT_LT(passed, calls);
  });
}

// Datatypes and operations of the program's own have no shortcuts, and handles that are freed may be other ones on each
// rank: whichever way a rank takes, the others are to pause with it.
TEST(BriefNativeCall, WithoutAShortcutPausesAsWithOneAndAsWhenLookedAt) {
  where_calls_stay_native([](CommunicatorState& state) {
    constexpr int calls = 400;
    const std::uint64_t counted_before = counted_allreduces();
    int passed = 0;
    telemetry::layout::TrafficRow* row = nullptr;
    for (int i = 0; i < calls; ++i) {
      std::vector<Complex> values;
      const AllreduceCall call = product_of(values);
      const std::uint64_t bytes = call.bytes();
      const tuner::AgreementGate& gate = find_gated_calls(state, gate_key_of(call, bytes))->gate;
      const std::uint64_t skipped = gate.skipped();
      if ((state.rank + i) % ranks == 0) {
        EXPECT_EQ(run_collective(call), MPI_SUCCESS);
      } else if ((state.rank + i) % ranks == 1 || !stays_native(call, state, bytes)) {
        EXPECT_EQ(run_unknown(call, nullptr, true, bytes), MPI_SUCCESS);
      } else {
        EXPECT_EQ(gate.skipped(), skipped + 1);
        EXPECT_EQ(run_native_briefly(call, state, bytes, row), MPI_SUCCESS);
        ++passed;
      }
      EXPECT_THAT(values, Each(Complex(8)));
    }
    EXPECT_EQ(counted_allreduces(), counted_before + calls);
    EXPECT_GT(passed, calls / ranks / 2);
  });
}

TEST(BriefNativeCall, WithoutAShortcutIsLookedAtWhereThatMightCarryIt) {
  where_calls_stay_native([](CommunicatorState& state) {
    std::vector<Complex> values;
    const AllreduceCall call = product_of(values);
    const std::uint64_t bytes = call.bytes();
    tuner::AgreementGate& gate = find_gated_calls(state, gate_key_of(call, bytes))->gate;
    gate.pause(4);
    state.looked_at_by_pola = true;
    EXPECT_FALSE(stays_native(call, state, bytes));
    state.looked_at_by_pola = false;
    const std::uint64_t calls_before = std::exchange(state.calls_for_shared_memory, 1);
    EXPECT_FALSE(stays_native(call, state, bytes));
    state.calls_for_shared_memory = calls_before;
    telemetry::layout::FlightRow left_over;
    state.flight.row = &left_over;
    EXPECT_FALSE(stays_native(call, state, bytes));
    state.flight.row = nullptr;
    EXPECT_EQ(gate.skipped(), 0U);
    EXPECT_TRUE(stays_native(call, state, bytes));
    EXPECT_EQ(gate.skipped(), 1U);
    constexpr std::uint64_t of_another_gate = 1U << 20U;
    EXPECT_FALSE(stays_native(call, state, of_another_gate));
  });
}

TEST(BriefNativeCall, OfAReduceScatterPassesWhileAgreementsPause) {
  where_calls_stay_native([](CommunicatorState& state) {
    constexpr std::uint64_t calls = 400;
    const auto function = static_cast<std::size_t>(Function::MPI_Reduce_scatter_block);
    const auto make_call = [] {
      const std::vector<Complex> values(ranks, 2.0);
      Complex product = 0;
      EXPECT_EQ(on_MPI_Reduce_scatter_block(values.data(), &product, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD),
                MPI_SUCCESS);
      EXPECT_EQ(product, Complex(8));
    };
    for (int i = 0; i < 100; ++i) make_call();
    const std::uint64_t counted_before = job().counters.calls(function);
    const std::uint64_t admitted_before = state.calls_for_shared_memory;
    for (std::uint64_t i = 0; i < calls; ++i) make_call();
    EXPECT_EQ(job().counters.calls(function), counted_before + calls);
    EXPECT_LT(state.calls_for_shared_memory, admitted_before + calls / 2);
    EXPECT_GT(state.calls_for_shared_memory, admitted_before);
  });
}

// Its error handler may have jumped out of the call before: that is still to be noted.
TEST(BriefNativeCall, IsLookedAtWhereACallIsLeftOver) {
  where_calls_stay_native([](CommunicatorState& state) {
    std::vector<Complex> values;
    const AllreduceCall call = product_of(values);
    Shortcut& known = *shortcut_of(state, call);
    known.gated->gate.pause(2);
    telemetry::layout::FlightRow left_over;
    state.flight.row = &left_over;
    EXPECT_FALSE(stays_native(state, known));
    state.flight.row = nullptr;
    EXPECT_TRUE(stays_native(state, known));
    EXPECT_EQ(known.gated->gate.skipped(), 1U);
  });
}

/// A meeting that is closed before all have come.
void close_a_meeting(CommunicatorState& state) {
  HostMeeting& meeting = *state.resources.host_meeting();
  const HostMeeting::Patience none{};
  const bool late = state.rank == 0;
  if (late) native().MPI_Barrier(MPI_COMM_WORLD);
  meeting.arrive(1, 0, &none);
  meeting.hear();
  if (!late) native().MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_TRUE(meeting.was_closed());
}

int gather(std::vector<int>& all) {
  const int own = 7;
  return on_MPI_Gather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
}

CommunicatorState& carry_some_and_close_a_meeting(std::vector<int>& all) {
  for (int call = 0; call < 3; ++call) EXPECT_EQ(gather(all), MPI_SUCCESS);
  CommunicatorState& state = *find_communicator_state(MPI_COMM_WORLD);
  close_a_meeting(state);
  return state;
}

Shortcut* shortcut_of_gather(std::vector<int>& all, CommunicatorState& state) {
  const int own = 7;
  return shortcut_of(state, RootedGatherCall(&own, 1, MPI_INT, all.data(), 1, MPI_INT, 0, MPI_COMM_WORLD, false));
}

bool is_carried_again(std::vector<int>& all, CommunicatorState& state) {
  for (int turn = 0; turn < 2; ++turn) EXPECT_EQ(gather(all), MPI_SUCCESS);
  const Shortcut* const known = shortcut_of_gather(all, state);
  return known != nullptr && known->exchange != nullptr;
}

// Once ranks did not come together to a call that natively some leave before others come, they are not asked about such
// calls until they have voted for it.
TEST(BriefNativeCall, PassesWhileTheMeetingIsShut) {
  in_forced_ranks(ranks, [](int rank) {
    std::vector<int> all(ranks);
    CommunicatorState& state = carry_some_and_close_a_meeting(all);
    ASSERT_EQ(gather(all), MPI_SUCCESS);  // finds it closed

    constexpr int enough_calls = 100;
    const HostMeeting& meeting = *state.resources.host_meeting();
    const std::uint64_t looked_at = state.looked_at;
    int calls = 0;
    for (; meeting.was_closed() && calls < enough_calls; ++calls) {
      EXPECT_EQ(state.looked_at, looked_at);
      std::fill(all.begin(), all.end(), 0);
      ASSERT_EQ(gather(all), MPI_SUCCESS);
      if (rank == 0) {
        EXPECT_THAT(all, Each(7));
      }
    }
    EXPECT_GT(calls, 1);  // somebody proposes one, and others vote for it
    EXPECT_LT(calls, enough_calls);
    EXPECT_TRUE(is_carried_again(all, state));
  });
}

// Or until one that all wait for.
TEST(BriefNativeCall, IsAskedAboutAgainBehindACallThatAllWaitFor) {
  in_forced_ranks(ranks, [](int /*rank*/) {
    std::vector<int> all(ranks);
    CommunicatorState& state = carry_some_and_close_a_meeting(all);
    ASSERT_EQ(gather(all), MPI_SUCCESS);

    Shortcut* known = shortcut_of_gather(all, state);
    ASSERT_NE(known, nullptr);
    EXPECT_TRUE(stays_native(state, *known));
    int sum = 1;
    ASSERT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    known = shortcut_of_gather(all, state);
    ASSERT_NE(known, nullptr);
    EXPECT_FALSE(stays_native(state, *known));
    EXPECT_TRUE(is_carried_again(all, state));
  });
}

}  // namespace
}  // namespace airamp::pmpi
