// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/watch/ghost_watch.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>

#include "pmpi/device/ghost_kernels.hpp"
#include "pmpi/device/gpu_device.hpp"
#include "telemetry/log.hpp"
#include "telemetry/segment/tick_clock.hpp"

namespace airamp::pmpi {
namespace {

void log_verdict(const CommunicatorState& state) {
  std::array<char, 160> text{};
  std::snprintf(
      text.data(), text.size(),
      "ghost kernels on a communicator of %d ranks: its collectives take %.3f times as long with them, so they "
      "are %s",
      state.size, state.ghosts->median_ratio(),
      state.ghosts->verdict() == GhostPolicy::Verdict::on ? "kept" : "switched off");
  telemetry::log(config::LogLevel::info, text.data());
}

}  // namespace

void GhostWatch::begin() noexcept {
  ghost_kernels().arrive();
  entered_ns_ = telemetry::monotonic_ns();
  waited_seconds_ = call_.state.waiting_seconds;
}

void GhostWatch::end() noexcept {
  ghost_kernels().leave();
  try {
    open_window();
  } catch (const std::exception&) {
    // without memory there are no ghosts before the next call
  }
}

void GhostWatch::open_window() {
  ghost_kernels().publish();
  CommunicatorState& state = call_.state;
  if (!call_.on_own_device || !job().wanted.load(std::memory_order_relaxed)) {
    if (state.ghosts != nullptr) state.ghosts->skip_call();
    return;
  }
  if (state.ghosts == nullptr) state.ghosts = std::make_unique<GhostPolicy>();
  GhostPolicy& policy = *state.ghosts;
  const std::int64_t left = telemetry::monotonic_ns();
  const auto waited = static_cast<std::int64_t>(1e9 * (state.waiting_seconds - waited_seconds_));
  const bool tried = policy.verdict() == GhostPolicy::Verdict::trying;
  const auto end_ns = policy.end_call({.place = state.pola.place(),
                                       .locked = state.pola.state() == pola::Stream::State::locked,
                                       .left_ns = left,
                                       .duration_ns = left - entered_ns_ - waited,
                                       .expected_ns = state.arrivals.expected_ns()});
  if (tried && policy.verdict() != GhostPolicy::Verdict::trying) log_verdict(state);
  if (!end_ns) return;
  if (GpuDevice* device = gpu_device(call_.gpu); device != nullptr) ghost_kernels().open(*device, *end_ns);
}

}  // namespace airamp::pmpi
