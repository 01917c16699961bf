// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/native_track.hpp"

#include <gmock/gmock.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/call/barrier_call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/world_ranks.hpp"
#include "tests/pmpi/entry/environment.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::Each;

constexpr int ranks = 3;
using Complex = std::complex<double>;
constexpr std::size_t elements = 5;

/// Products of complex numbers, which the MPI library keeps.
AllreduceCall product_of(std::vector<Complex>& values) {
  values.assign(elements, 2.0);
  return AllreduceCall(MPI_IN_PLACE, values.data(), static_cast<MPI_Count>(values.size()), MPI_C_DOUBLE_COMPLEX,
                       MPI_PROD, MPI_COMM_WORLD, false);
}

/// Such a call of the application.
void multiply() {
  std::vector<Complex> values(elements, 2.0);
  ASSERT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_C_DOUBLE_COMPLEX,
                             MPI_PROD, MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_THAT(values, Each(Complex(8)));
}

/// Has the ranks measure calls that shared memory may carry, for which they make some.
void share_memory() {
  double greatest = 1;
  const auto shares = [] {
    const CommunicatorState* const state = find_communicator_state(MPI_COMM_WORLD);
    return state != nullptr && state->resources.host_meeting() != nullptr;
  };
  for (int call = 0; call < 200 && !shares(); ++call) {
    ASSERT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD), MPI_SUCCESS);
  }
  ASSERT_TRUE(shares());
}

/// In each rank, where the ranks share memory, behind so many calls that agreements pause.
void where_calls_stay_native(void (*program)(CommunicatorState& state)) {
  const Environment environment(std::map<std::string, std::string>{});
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int /*rank*/) {
    ASSERT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    share_memory();
    for (int call = 0; call < 300; ++call) multiply();
    program(*find_communicator_state(MPI_COMM_WORLD));
    native().MPI_Barrier(MPI_COMM_WORLD);  // what is freed in MPI_Finalize counts for all, as they are one process
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

NativeTrack& place_of_track() {
  std::vector<Complex> values;
  return native_tracks->of(MPI_COMM_WORLD, *product_of(values).arguments());
}

/// Whether a call goes by the track.
bool goes_by_track() {
  std::vector<Complex> values;
  const AllreduceCall call = product_of(values);
  const std::optional<int> done = run_on_track(call, call.arguments());
  if (!done) return false;
  EXPECT_EQ(*done, MPI_SUCCESS);
  EXPECT_THAT(values, Each(Complex(8)));
  return true;
}

/// Has the next call stay native, and lay a track.
void lay_track_anew(CommunicatorState& state) {
  std::vector<Complex> values;
  shortcut_of(state, product_of(values))->gated->gate.pause(100);
  place_of_track() = {};
  multiply();
}

std::uint64_t least_of_all(std::uint64_t number) {
  std::uint64_t least = 0;
  native().MPI_Allreduce(&number, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

std::uint64_t counted_allreduces() { return job().counters.calls(static_cast<std::size_t>(Function::MPI_Allreduce)); }

// The ranks take different ways in each call, and are to stay in step: in what they skip, and in what they pass by.
TEST(NativeTrack, CountsAsTheLongerWay) {
  where_calls_stay_native([](CommunicatorState& state) {
    constexpr std::uint64_t calls = 600;
    std::vector<Complex> values;
    const tuner::AgreementGate& gate = shortcut_of(state, product_of(values))->gated->gate;
    const std::uint64_t counted_before = counted_allreduces();
    std::uint64_t tracks = 0;
    for (std::uint64_t call = 0; call < calls; ++call) {
      if ((static_cast<std::uint64_t>(state.rank) + call) % ranks == 0) place_of_track() = {};
      const std::uint64_t skipped = gate.skipped();
      const bool paused = gate.is_paused();
      const bool has_track = place_of_track().comm == MPI_COMM_WORLD && place_of_track().looked_at == state.looked_at;
      multiply();
      if (paused) {
        EXPECT_EQ(gate.skipped(), skipped + 1);
      }
      tracks += has_track && paused ? 1 : 0;
      EXPECT_EQ(least_of_all(gate.skipped()), gate.skipped());
      EXPECT_EQ(least_of_all(state.looked_at), state.looked_at);
      EXPECT_EQ(least_of_all(state.resources.host_meeting()->digest()), state.resources.host_meeting()->digest());
    }
    EXPECT_EQ(counted_allreduces(), counted_before + calls);
    EXPECT_GT(tracks, calls / 3);
  });
}

void reduce_product() {
  const std::vector<Complex> values(elements, 2.0);
  std::vector<Complex> product(elements, 8.0);
  ASSERT_EQ(on_MPI_Reduce(values.data(), product.data(), static_cast<int>(elements), MPI_C_DOUBLE_COMPLEX, MPI_PROD, 1,
                          MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_THAT(product, Each(Complex(8)));
}

// Reduces that are carried are numbered, and these are passed by.
TEST(NativeTrack, OfAReducePassesByThoseThatArePosted) {
  where_calls_stay_native([](CommunicatorState& state) {
    ASSERT_NE(state.resources.contributions(), nullptr);
    for (int call = 0; call < 300; ++call) reduce_product();

    const std::vector<Complex> values(elements);
    const ReduceCall reduction(values.data(), nullptr, static_cast<MPI_Count>(elements), MPI_C_DOUBLE_COMPLEX, MPI_PROD,
                               1, MPI_COMM_WORLD, false);
    NativeTrack& place = native_tracks->of(MPI_COMM_WORLD, *reduction.arguments());
    const std::uint64_t passed = state.resources.contributions()->calls();
    std::uint64_t tracks = 0;
    constexpr std::uint64_t calls = 300;
    for (std::uint64_t call = 0; call < calls; ++call) {
      if ((static_cast<std::uint64_t>(state.rank) + call) % ranks == 0) place = {};
      tracks += native_track_of(reduction, reduction.arguments()) != nullptr ? 1 : 0;
      reduce_product();
      EXPECT_EQ(state.resources.contributions()->calls(), passed + call + 1);
    }
    EXPECT_GT(tracks, calls / 3);
  });
}

TEST(NativeTrack, IsLaidByACallThatStaysNative) {
  where_calls_stay_native([](CommunicatorState& state) {
    lay_track_anew(state);
    const std::uint64_t skipped = place_of_track().gated->gate.skipped();
    EXPECT_TRUE(goes_by_track());
    EXPECT_EQ(place_of_track().gated->gate.skipped(), skipped + 1);
  });
}

TEST(NativeTrack, EndsWhereTheRanksAreAsked) {
  where_calls_stay_native([](CommunicatorState& state) {
    lay_track_anew(state);
    place_of_track().gated->gate.keep_asking();
    EXPECT_FALSE(goes_by_track());
    EXPECT_EQ(place_of_track().gated->gate.skipped(), 0U);
  });
}

// What was found of calls before may have changed: what the track leads to is not looked at.
TEST(NativeTrack, IsNoMoreOnceAnythingWasAgreedOnOrFreed) {
  where_calls_stay_native([](CommunicatorState& state) {
    lay_track_anew(state);
    ++state.looked_at;
    EXPECT_FALSE(goes_by_track());
    --state.looked_at;
    EXPECT_FALSE(goes_by_track());

    lay_track_anew(state);
    --place_of_track().freed_before;
    EXPECT_FALSE(goes_by_track());

    lay_track_anew(state);
    state.forget_agreements();
    EXPECT_FALSE(goes_by_track());
  });
}

TEST(NativeTrack, IsLeftWhereMoreIsToBeDone) {
  where_calls_stay_native([](CommunicatorState& state) {
    lay_track_anew(state);
    const std::uint64_t skipped = place_of_track().gated->gate.skipped();
    telemetry::layout::FlightRow left_over;  // its error handler jumped out of a call
    state.flight.row = &left_over;
    EXPECT_FALSE(goes_by_track());
    state.flight.row = nullptr;
    job().on = false;
    EXPECT_FALSE(goes_by_track());
    job().on = true;
    EXPECT_EQ(place_of_track().gated->gate.skipped(), skipped);
    EXPECT_TRUE(goes_by_track());
  });
}

TEST(NativeTrack, IsThatOfOneCommunicatorAndOfItsArguments) {
  where_calls_stay_native([](CommunicatorState& state) {
    lay_track_anew(state);
    std::vector<Complex> values(elements);
    const auto with = [&](MPI_Comm comm, MPI_Op op) {
      const AllreduceCall call(MPI_IN_PLACE, values.data(), elements, MPI_C_DOUBLE_COMPLEX, op, comm, false);
      return native_track_of(call, call.arguments());
    };
    EXPECT_EQ(with(MPI_COMM_WORLD, MPI_PROD), &place_of_track());
    EXPECT_EQ(with(MPI_COMM_SELF, MPI_PROD), nullptr);
    EXPECT_EQ(with(MPI_COMM_WORLD, MPI_SUM), nullptr);
    const AllreduceCall large(MPI_IN_PLACE, values.data(), elements, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD,
                              true);
    EXPECT_EQ(native_track_of(large, large.arguments()), nullptr);  // it is counted as another function
  });
}

// A place that has none yet looks like that of a barrier on a handle of zeros, which the MPI library refuses.
TEST(NativeTrack, IsNoneBeforeOneWasLaid) {
  NativeTrack none;
  const BarrierCall call(none.comm);
  EXPECT_EQ(none.arguments, call.arguments());
  EXPECT_EQ(follow(none, call), std::nullopt);
}

// Nothing is ever agreed on there, and nothing passed by.
TEST(NativeTrack, OfARankThatIsAloneNeedsNoAgreement) {
  where_calls_stay_native([](CommunicatorState& /*state*/) {
    const CommunicatorState* const alone = communicator_state(MPI_COMM_SELF);
    const AllreduceCall call(MPI_IN_PLACE, nullptr, 0, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_SELF, false);
    EXPECT_EQ(native_track_of(call, call.arguments()), nullptr);
    const std::uint64_t counted_before = counted_allreduces();
    constexpr int calls = 5;
    for (int i = 0; i < calls; ++i) {
      EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, nullptr, 0, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_SELF), MPI_SUCCESS);
      const NativeTrack* const track = native_track_of(call, call.arguments());
      ASSERT_NE(track, nullptr);
      EXPECT_EQ(track->state, alone);
      EXPECT_EQ(track->gated, nullptr);
    }
    EXPECT_EQ(counted_allreduces(), counted_before + calls);
    EXPECT_EQ(run_on_track(call, call.arguments()), MPI_SUCCESS);
    EXPECT_EQ(counted_allreduces(), counted_before + calls + 1);
    --native_tracks->of(MPI_COMM_SELF, *call.arguments()).freed_before;
    EXPECT_EQ(run_on_track(call, call.arguments()), std::nullopt);
  });
}

// Another operation may get the handle of one that was freed, and an error handler may free the communicator.
TEST(NativeTrack, OfARankThatIsAloneIsOfArgumentsThatLastAndOfCallsThatSucceed) {
  where_calls_stay_native([](CommunicatorState& /*state*/) {
    communicator_state(MPI_COMM_SELF);
    native().Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const auto has_track_behind_call = [](MPI_Count count, MPI_Op op, bool succeeds) {
      double value = 1;
      const int error = on_MPI_Allreduce_c(MPI_IN_PLACE, &value, count, MPI_DOUBLE, op, MPI_COMM_SELF);
      EXPECT_EQ(error == MPI_SUCCESS, succeeds);
      const AllreduceCall call(MPI_IN_PLACE, &value, count, MPI_DOUBLE, op, MPI_COMM_SELF, true);
      return native_track_of(call, call.arguments()) != nullptr;
    };
    EXPECT_TRUE(has_track_behind_call(1, MPI_SUM, true));
    constexpr MPI_Count more_than_this_library_takes = MPI_Count{1} << 40;
    EXPECT_FALSE(has_track_behind_call(more_than_this_library_takes, MPI_SUM, false));
    MPI_Op sum = MPI_OP_NULL;
    native().MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &sum);
    EXPECT_FALSE(has_track_behind_call(1, sum, true));
  });
}

// Tracks that were laid before are for one thread.
TEST(NativeTrack, IsNoMoreOnceASessionMayBringThreads) {
  where_calls_stay_native([](CommunicatorState& state) {
    lay_track_anew(state);
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    EXPECT_EQ(on_MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, nullptr), MPI_ERR_OTHER);  // there is none here
    EXPECT_EQ(place_of_track().state, nullptr);
    multiply();
    EXPECT_EQ(place_of_track().state, nullptr);
    worlds_may_mix = false;
  });
}

TEST(NativeTrack, IsForProgramsOfOneThread) {
  where_calls_stay_native([](CommunicatorState& state) {
    job().several_threads = true;
    lay_track_anew(state);
    EXPECT_EQ(place_of_track().state, nullptr);
    job().several_threads = false;
  });
}

}  // namespace
}  // namespace airamp::pmpi
