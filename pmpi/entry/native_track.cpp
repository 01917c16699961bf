// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/native_track.hpp"

#include "base/asked_by_every_call.hpp"
#include "pmpi/state/publishing.hpp"

namespace airamp::pmpi {

AIRAMP_ASKED_BY_EVERY_CALL constinit ProcessWide<NativeTracks> native_tracks;

void lay_track(const CollectiveCall& call, CommunicatorState& state, const TrackedCalls& calls) noexcept {
  Job& j = job();
  if (j.several_threads.load(std::memory_order_relaxed)) return;
  const auto function = static_cast<std::uint16_t>(call.function());
  const telemetry::AlikeCalls published =
      publisher().alike(state.published, function, calls.bytes, native_path, telemetry::Stage::native, calls.row);
  if (ObservedCall::is_published() && published.row == nullptr) return;
  native_tracks->of(call.communicator(), calls.arguments) = {
      .comm = call.communicator(),
      .function = call.function(),
      .arguments = calls.arguments,
      .looked_at = state.looked_at,
      .freed_before = freed_communicators.load(std::memory_order_acquire),
      .state = &state,
      .gated = calls.gated,
      .meeting = state.resources.peers.made == nullptr ? state.resources.meeting() : nullptr,
      .counted = &j.counters.cell(function, size_bucket(calls.bytes)),
      .published = published,
      .contributions = calls.contributions};
}

}  // namespace airamp::pmpi
