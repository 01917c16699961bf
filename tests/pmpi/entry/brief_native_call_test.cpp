// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/brief_native_call.hpp"

#include <gmock/gmock.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
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
        EXPECT_EQ(run_native_briefly(call, state, *known), MPI_SUCCESS);
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
