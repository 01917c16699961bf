// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/observed_call.hpp"

#include "pmpi/job/publisher.hpp"
#include "pmpi/state/call_sites/call_sites.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/publishing.hpp"
#include "pmpi/state/trace_recorder.hpp"
#include "telemetry/segment/tick_clock.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {
namespace {

void end_flight(CommunicatorState& state, std::uint16_t path, std::uint64_t wire_bytes, std::uint64_t now) noexcept {
  if (state.flight.row == nullptr) return;
  publisher().end(state.flight, path, wire_bytes, now);
  state.flight.row = nullptr;
}

}  // namespace

ObservedCall::ObservedCall(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state, Begun /*begun*/)
    : function_(call.function()), bytes_(bytes), state_(&state) {
  state.call = this;
}

bool ObservedCall::published() const noexcept { return state_ != nullptr && state_->flight.row != nullptr; }

std::uint64_t ObservedCall::entered_ticks() const noexcept { return state_->flight.entered; }

void ObservedCall::begin(MPI_Comm comm, const CollectiveCall* call) {
  if (comm == MPI_COMM_NULL) return;
  if (CommunicatorState* const state = communicator_state(comm)) begin(*state, call);
}

void ObservedCall::begin(CommunicatorState& state, const CollectiveCall* call) {
  state_ = &state;
  state_->call = this;
  if ((observers() & publication) != 0) {
    if (!state_->introduced) [[unlikely]] {
      state_->introduced = true;
      publish_communicator(state_->comm, *state_);
    }
    const std::uint64_t now = publisher().now();
    end_flight(*state_, 0, 0, now);  // of a call whose error handler jumped away
    state_->flight = publisher().begin(state_->published, static_cast<std::uint16_t>(function_), bytes_, now);
  }
  if ((observers() & trace) != 0) {
    if (call != nullptr) arguments_ = call->equal_arguments();
    entered_ = telemetry::monotonic_ns();
  }
}

void ObservedCall::end() noexcept {
  if ((observers() & trace) != 0)
    record_trace(*state_, function_, bytes_, arguments_, entered_, telemetry::monotonic_ns());
  if (published()) {
    const std::uint64_t left = left_ticks_ != 0 ? left_ticks_ : leave();
    state_->close_calls.note(is_small_allreduce(function_, bytes_), entered_ticks(), left);
    if ((observers() & sites) != 0) [[unlikely]]
      note_call_site(function_, bytes_, left - entered_ticks());
    end_flight(*state_, path_, wire_bytes_, left);
  }
  state_->call = nullptr;
}

void ObservedCall::stage(telemetry::Stage stage) noexcept { publisher().stage(state_->flight, stage); }

void ObservedCall::path(AlgorithmId path) noexcept {
  path_ = published_path(path);
  publisher().path(state_->flight, path_);
}

void ObservedCall::exchange(AlgorithmId path) noexcept {
  path_ = published_path(path);
  publisher().path(state_->flight, path_, telemetry::Stage::exchange);
}

void ObservedCall::go_native() noexcept {
  path_ = 0;
  publisher().path(state_->flight, path_, telemetry::Stage::native);
}

void mark_stage(const CommunicatorState& state, telemetry::Stage stage) noexcept {
  if (state.call != nullptr) state.call->stage(stage);
}

void mark_sent(const CommunicatorState& state, std::uint64_t bytes) noexcept {
  if (state.call != nullptr) state.call->sent(bytes);
}

void mark_path(const CommunicatorState& state, AlgorithmId path) noexcept {
  if (state.call != nullptr) state.call->path(path);
}

void mark_exchange(const CommunicatorState& state, AlgorithmId path) noexcept {
  if (state.call != nullptr) state.call->exchange(path);
}

void mark_native(const CommunicatorState& state) noexcept {
  if (state.call != nullptr) state.call->go_native();
}

}  // namespace airamp::pmpi
