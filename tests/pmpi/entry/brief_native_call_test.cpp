// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/brief_native_call.hpp"

#include <gmock/gmock.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "pmpi/entry/run_collective.hpp"
#include "tests/pmpi/entry/environment.hpp"
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
      if (stays_native(call, state, *known)) {
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

// Those of functions that have no shortcuts at all.
TEST(BriefNativeCall, OfAFunctionWithoutShortcutsPassesWhileAgreementsPause) {
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
    EXPECT_FALSE(stays_native(call, state, known));
    state.flight.row = nullptr;
    EXPECT_TRUE(stays_native(call, state, known));
    EXPECT_EQ(known.gated->gate.skipped(), 1U);
  });
}

}  // namespace
}  // namespace airamp::pmpi
