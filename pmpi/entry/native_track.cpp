// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/native_track.hpp"

#include "base/asked_by_every_call.hpp"
#include "pmpi/state/publishing.hpp"

namespace airamp::pmpi {

AIRAMP_ASKED_BY_EVERY_CALL constinit ProcessWide<NativeTracks> native_tracks;

void lay_track(const CollectiveCall& call, CommunicatorState& state, const Shortcut& known,
               ContributionRing* contributions) noexcept {
  Job& j = job();
  if (j.several_threads.load(std::memory_order_relaxed)) return;
  const std::uint64_t bytes = known.facts.bytes;
  const auto function = static_cast<std::uint16_t>(call.function());
  const telemetry::AlikeCalls published =
      publisher().alike(state.published, function, bytes, native_path, telemetry::Stage::native, known.native_row);
  if (ObservedCall::is_published() && published.row == nullptr) return;
  native_tracks->of(call.communicator(), known.arguments) = {
      .comm = call.communicator(),
      .arguments = known.arguments,
      .looked_at = state.looked_at,
      .freed_before = freed_communicators.load(std::memory_order_acquire),
      .state = &state,
      .gated = known.gated,
      .meeting = state.resources.peers.made == nullptr ? state.resources.meeting() : nullptr,
      .counted = &j.counters.cell(function, size_bucket(bytes)),
      .published = published,
      .contributions = contributions};
}

}  // namespace airamp::pmpi
