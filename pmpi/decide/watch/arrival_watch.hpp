// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/decide/watch/ghost_watch.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"
#include "telemetry/segment/tick_clock.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

/// Follows one call from entry to return, and publishes how much later than PoLA expected this rank came to it, and how
/// long it waited for the others. Where nothing is published and no ghost kernels are wanted it costs nothing.
class ArrivalWatch {
 public:
  explicit ArrivalWatch(CommunicatorState& state)
      : state_(state),
        ghosts_(ghosts_wanted()),
        watches_(ghosts_ || (state.looked_at_by_pola && state.call != nullptr && state.call->published())) {
    if (watches_) entered_ns_ = ghosts_ ? telemetry::monotonic_ns() : nanoseconds(state_.call->entered_ticks());
  }
  ~ArrivalWatch() {
    if (!watches_ || (!ghosts_ && state_.call == nullptr)) return;  // an error handler's call has come between
    const std::int64_t left_ns = ghosts_ ? telemetry::monotonic_ns() : nanoseconds(state_.call->leave());
    // without memory there is no forecast, and nothing is late
    static_cast<void>(state_.arrivals.observe(state_.pola.place(), entered_ns_, left_ns));
    if (const auto lateness = state_.arrivals.lateness_ns(); lateness > 0) {
      state_.lateness_seconds += 1e-9 * static_cast<double>(*lateness);
    }
    publisher().set_waits(state_.published, state_.lateness_seconds, state_.waiting_seconds);
  }
  ArrivalWatch(const ArrivalWatch&) = delete;
  ArrivalWatch& operator=(const ArrivalWatch&) = delete;

 private:
  // Ghosts are told by the system's clock when to end; what is published takes the call's own times, read already.
  static std::int64_t nanoseconds(std::uint64_t ticks) { return publisher().nanoseconds_since_open(ticks); }

  CommunicatorState& state_;
  bool ghosts_;
  bool watches_;
  std::int64_t entered_ns_ = 0;
};

}  // namespace airamp::pmpi
