// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The track of a call that stays native: all that it touches, as found when one like it stayed native before. Such a
// call only passes by: what it notes lies in some ten places, and what tells that it passes in two. To find them again
// each time, one from the other, takes it through twice as many cache lines of code, which between two calls the
// application's own work uses up (scripts/count-cache-lines).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "pmpi/call/reduce_call.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/entry/brief_native_call.hpp"
#include "pmpi/entry/refused_call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/state/shortcuts.hpp"
#include "telemetry/call_counters.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

/// A rank's own affair: with one or without, it says and does the same. For one thread.
struct alignas(64) NativeTrack {
  // of which calls, and what must be as it was
  MPI_Comm comm{};
  Function function{};  ///< as which it is counted: two have the same arguments, where one takes large counts
  CallArguments arguments{};
  std::uint64_t looked_at = 0;  ///< as of CommunicatorState

  std::uint64_t freed_before = std::numeric_limits<std::uint64_t>::max();  ///< as of LatestCommunicator
  CommunicatorState* state = nullptr;
  GatedCalls* gated = nullptr;     ///< whose agreements pause; nullptr: there are none about such calls
  HostMeeting* meeting = nullptr;  ///< as one of whose calls such a call counts; nullptr: none
  telemetry::CallCell* counted = nullptr;
  telemetry::AlikeCalls published{};

  ContributionRing* contributions = nullptr;  ///< likewise, of a reduce

  /// Whether what the track leads to is there, and what it says holds: nothing was agreed on since.
  bool holds() const noexcept {
    return freed_before == freed_communicators.load(std::memory_order_acquire) && looked_at == state->looked_at;
  }
};

/// The latest of the process, by communicator and arguments: several may have one place.
class NativeTracks {
 public:
  NativeTrack& of(MPI_Comm comm, const CallArguments& arguments) noexcept {
    return tracks_[place_of(comm) * Shortcuts::places + Shortcuts::place_of(arguments)];
  }

  void forget() noexcept { tracks_.fill({}); }

 private:
  std::array<NativeTrack, LatestCommunicators{}.size() * Shortcuts::places> tracks_{};
};

extern constinit ProcessWide<NativeTracks> native_tracks;

/// Calls that have one.
struct TrackedCalls {
  const CallArguments& arguments;
  std::uint64_t bytes;
  telemetry::layout::TrafficRow* row;         ///< where they are published, which the first of them gets when it ends
  GatedCalls* gated = nullptr;                ///< as of NativeTrack
  ContributionRing* contributions = nullptr;  ///< likewise
};

/// Lays their track, if one thread alone calls MPI. `call`: one of them.
void lay_track(const CollectiveCall& call, CommunicatorState& state, const TrackedCalls& calls) noexcept;

/// Runs a call that stays native, and has a shortcut. `contributions`: by which it passes, or nullptr. Returns the MPI
/// error code for the application.
template <class Collective>
int run_native_again(const Collective& call, CommunicatorState& state, Shortcut& known,
                     ContributionRing* contributions) {
  lay_track(call, state,
            {.arguments = known.arguments,
             .bytes = known.facts.bytes,
             .row = known.native_row,
             .gated = known.gated,
             .contributions = contributions});
  return run_native_briefly(call, state, known.facts.bytes, known.native_row);
}

/// Runs a call of a rank that is alone in its communicator, and talks with nobody about it. Returns the MPI error code
/// for the application.
template <class Collective>
int run_alone(const Collective& call, CommunicatorState& state, std::uint64_t bytes) {
  telemetry::layout::TrafficRow* row = nullptr;
  const int error = run_native_briefly(call, state, bytes, row);
  if (error != MPI_SUCCESS) return error;  // an error handler may have freed the communicator
  const std::optional<CallArguments> arguments = call.arguments();
  if (arguments && is_lasting(*arguments))
    lay_track(call, state, {.arguments = *arguments, .bytes = bytes, .row = row});
  return error;
}

/// A call's track; nullptr if it has none.
template <class Collective>
NativeTrack* native_track_of(const Collective& call, const std::optional<CallArguments>& arguments) {
  if (!arguments) return nullptr;
  NativeTrack& track = native_tracks->of(call.communicator(), *arguments);
  const bool is_its_own =
      track.comm == call.communicator() && track.function == call.function() && track.arguments == *arguments;
  return is_its_own ? &track : nullptr;
}

/// Runs a call that has the track as `run_native_briefly` does, if agreements about such calls pause or cannot take
/// place. Returns the MPI error code for the application; nothing if it is to go another way, and nothing was said
/// or counted. Made for each type of call, in one piece.
template <class Collective>
[[gnu::flatten, gnu::noinline]] std::optional<int> follow(NativeTrack& track, const Collective& call) {
  if (!track.holds()) [[unlikely]] {
    track.comm = MPI_Comm{};
    return std::nullopt;
  }
  CommunicatorState& state = *track.state;
  if (!job().on.load(std::memory_order_acquire) || !is_published_at_most(state) || is_refused(call) ||
      is_refused_alone(call, state) || (track.gated != nullptr && opens(*track.gated))) {
    return std::nullopt;
  }
  const telemetry::AlikeCalls published = track.published;  // an error handler's call may lay another track here
  track.counted->count(published.bytes, false);
  if (track.meeting != nullptr) [[likely]]
    track.meeting->pass_by();
  if constexpr (std::is_same_v<Collective, ReduceCall>) {
    if (track.contributions != nullptr) track.contributions->pass_by();
  }
  telemetry::SegmentWriter& writer = publisher();
  if (published.row != nullptr) [[likely]]
    state.flight = writer.begin(published, writer.now());
  const int error = call.run_native();
  if (state.flight.row != nullptr) [[likely]] {
    const std::uint64_t left = writer.now();
    state.close_calls.note(is_small_allreduce(call.function(), published.bytes), state.flight.entered, left);
    writer.end(published, state.flight, left);
    state.flight.row = nullptr;
  }
  return error;
}

/// The same of a call with these arguments by its own track; nothing also if it has none.
template <class Collective>
std::optional<int> run_on_track(const Collective& call, const std::optional<CallArguments>& arguments) {
  NativeTrack* const track = native_track_of(call, arguments);
  return track != nullptr ? follow(*track, call) : std::nullopt;
}

}  // namespace airamp::pmpi
