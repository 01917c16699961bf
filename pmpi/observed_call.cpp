// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/observed_call.hpp"

#include "pmpi/communicator_state.hpp"
#include "pmpi/publisher.hpp"
#include "pmpi/trace_recorder.hpp"
#include "telemetry/segment/segment_writer_calls.hpp"
#include "telemetry/segment/tick_clock.hpp"

namespace airamp::pmpi {
void ObservedCall::begin(MPI_Comm comm, const CollectiveCall* call) noexcept {
  if (comm == MPI_COMM_NULL) return;
  state_ = communicator_state(comm);
  if (state_ == nullptr) return;
  state_->call = this;
  if ((observers() & publication) != 0) {
    if (!state_->introduced) {
      state_->introduced = true;
      publish_communicator(comm, *state_);
    }
    flight_ = publisher().begin(state_->published, static_cast<std::uint16_t>(function_), bytes_, publisher().now());
  }
  if ((observers() & trace) != 0) {
    if (call != nullptr) arguments_ = call->equal_arguments();
    entered_ = telemetry::monotonic_ns();
  }
}

void ObservedCall::end() noexcept {
  if ((observers() & trace) != 0)
    record_trace(*state_, function_, bytes_, arguments_, entered_, telemetry::monotonic_ns());
  if (published()) publisher().end(flight_, path_, wire_bytes_, left_ticks_ != 0 ? left_ticks_ : leave());
  state_->call = nullptr;
}

void ObservedCall::stage(telemetry::Stage stage) noexcept { publisher().stage(flight_, stage); }

void ObservedCall::path(Path path) noexcept {
  path_ = published_path(path);
  publisher().path(flight_, path_);
}

void ObservedCall::go_native() noexcept {
  path_ = 0;
  publisher().path(flight_, path_);
  stage(telemetry::Stage::native);
}

void mark_stage(const CommunicatorState& state, telemetry::Stage stage) noexcept {
  if (state.call != nullptr) state.call->stage(stage);
}

void mark_sent(const CommunicatorState& state, std::uint64_t bytes) noexcept {
  if (state.call != nullptr) state.call->sent(bytes);
}

void mark_path(const CommunicatorState& state, Path path) noexcept {
  if (state.call != nullptr) state.call->path(path);
}

void mark_native(const CommunicatorState& state) noexcept {
  if (state.call != nullptr) state.call->go_native();
}

}  // namespace airamp::pmpi
