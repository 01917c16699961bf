// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/decide/carry_out.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/state/publishing.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

/// What is noted of a call that is carried in the shortest way, once this rank has left what others wait for: nobody
/// waits for a clock. On the stack of the call's thread.
class BriefObservation {
 public:
  /// `bytes`: of the call.
  BriefObservation(CommunicatorState& state, Function function, Shortcut& known, std::uint64_t bytes) noexcept
      : state_(state), known_(known), function_(function), path_(published_path(known.path)), bytes_(bytes) {
    if (ObservedCall::is_published()) {
      flight_ = publisher().begin(state.published, static_cast<std::uint16_t>(function), bytes, publisher().now(),
                                  path_, telemetry::Stage::exchange);
    }
    count_call(function, bytes);
  }

  /// It is over.
  void end() noexcept {
    count_carried(*known_.signature, bytes_);
    if (flight_.row == nullptr) return;
    const std::uint64_t left = publisher().now();
    state_.close_calls.note(is_small_allreduce(function_, bytes_), flight_.entered, left);
    publisher().end(flight_, path_, 0, left, known_.row);
  }

  /// It goes on another way, as its communicator's flight.
  void hand_over() noexcept { state_.flight = flight_; }

 private:
  CommunicatorState& state_;
  Shortcut& known_;
  Function function_;
  std::uint16_t path_;
  std::uint64_t bytes_;
  telemetry::Flight flight_;
};

}  // namespace airamp::pmpi
