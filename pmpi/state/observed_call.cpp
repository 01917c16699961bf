// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/observed_call.hpp"

#include "base/asked_by_every_call.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/call_sites/call_sites.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/publishing.hpp"
#include "pmpi/state/trace_recorder.hpp"
#include "telemetry/segment/tick_clock.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

AIRAMP_ASKED_BY_EVERY_CALL std::atomic<unsigned> ObservedCall::wanted_by{0};

namespace {

void end_flight(telemetry::Flight& flight, std::uint16_t path, std::uint64_t wire_bytes, std::uint64_t now) noexcept {
  if (flight.row == nullptr) return;
  publisher().end(flight, path, wire_bytes, now);
  flight.row = nullptr;
}

/// Whether calls on the communicator are published in the entry that all share that found no room, and nothing else is
/// ever to be known of it: programs make communicators of one rank by the ten thousand, and a state for each would cost
/// half of what the MPI library takes to make it.
bool needs_no_state(MPI_Comm comm) {
  int size = 0;
  return !publisher().has_room() && native().Comm_size(comm, &size) == MPI_SUCCESS && size == 1 &&
         find_communicator_state(comm) == nullptr;
}

}  // namespace

ObservedCall::ObservedCall(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state, Begun /*begun*/)
    : function_(call.function()), bytes_(bytes), state_(&state), flight_(&state.flight) {
  state.call = this;
}

bool ObservedCall::published() const noexcept { return flight_ != nullptr && flight_->row != nullptr; }

std::uint64_t ObservedCall::entered_ticks() const noexcept { return flight_->entered; }

void ObservedCall::begin(MPI_Comm comm, const CollectiveCall* call) {
  if (comm == MPI_COMM_NULL) return;
  CommunicatorState* state = latest_communicator_state(comm);
  if (state == nullptr && is_only_published() && needs_no_state(comm)) return begin_stateless();
  if (state == nullptr) state = communicator_state(comm);
  if (state != nullptr) begin(*state, call);
}

void ObservedCall::begin_stateless() {
  own_ = publisher().begin({}, static_cast<std::uint16_t>(function_), bytes_, publisher().now());
  flight_ = &*own_;
}

void ObservedCall::begin(CommunicatorState& state, const CollectiveCall* call) {
  state_ = &state;
  flight_ = &state.flight;
  state_->call = this;
  if ((observers() & publication) != 0) {
    if (!state_->introduced) [[unlikely]] {
      state_->introduced = true;
      publish_communicator(state_->comm, *state_);
    }
    const std::uint64_t now = publisher().now();
    end_flight(*flight_, 0, 0, now);  // of a call whose error handler jumped away
    *flight_ = publisher().begin(state_->published, static_cast<std::uint16_t>(function_), bytes_, now);
  }
  if ((observers() & trace) != 0) {
    if (call != nullptr) arguments_ = call->equal_arguments();
    entered_ = telemetry::monotonic_ns();
  }
}

void ObservedCall::end() noexcept {
  if ((observers() & trace) != 0 && state_ != nullptr)
    record_trace(*state_, function_, bytes_, arguments_, entered_, telemetry::monotonic_ns());
  if (published()) {
    const std::uint64_t left = left_ticks_ != 0 ? left_ticks_ : leave();
    if (state_ != nullptr) state_->close_calls.note(is_small_allreduce(function_, bytes_), entered_ticks(), left);
    if ((observers() & sites) != 0) [[unlikely]]
      note_call_site(function_, bytes_, left - entered_ticks());
    end_flight(*flight_, path_, wire_bytes_, left);
  }
  if (state_ != nullptr) state_->call = nullptr;
}

void ObservedCall::stage(telemetry::Stage stage) noexcept { publisher().stage(*flight_, stage); }

void ObservedCall::path(AlgorithmId path) noexcept {
  path_ = published_path(path);
  publisher().path(*flight_, path_);
}

void ObservedCall::exchange(AlgorithmId path) noexcept {
  path_ = published_path(path);
  publisher().path(*flight_, path_, telemetry::Stage::exchange);
}

void ObservedCall::go_native() noexcept {
  path_ = native_path;
  publisher().path(*flight_, path_, telemetry::Stage::native);
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
