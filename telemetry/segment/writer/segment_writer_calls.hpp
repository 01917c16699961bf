// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/size_bucket.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/writer_state.hpp"

/// What every call needs of SegmentWriter. Inline, and free of copies through memory: a structure that is stored in
/// parts and read as a whole waits until the store has left the processor's store buffer, twelve cycles and more each
/// time.
namespace airamp::telemetry {

/// Bucket i holds what took at most 2^i * 256 ns.
inline std::size_t latency_bucket(std::uint64_t nanoseconds) noexcept {
  const std::uint64_t units = nanoseconds == 0 ? 0 : (nanoseconds - 1) / 256;
  const auto bucket = static_cast<std::size_t>(std::bit_width(units));
  return bucket < latency_buckets ? bucket : latency_buckets - 1;
}

inline std::int64_t SegmentWriter::nanoseconds_since_open(std::uint64_t ticks) const noexcept {
  return state_ == nullptr ? 0 : state_->nanoseconds_since_open(ticks);
}

inline void SegmentWriter::add(Counter counter, std::uint64_t amount) noexcept {
  State* const state = state_.get();
  if (state != nullptr) state->increase(state->segment().header.counters[static_cast<std::size_t>(counter)], amount);
}

inline Flight SegmentWriter::begin(const CommunicatorSlot& slot, std::uint16_t function, std::uint64_t bytes,
                                   std::uint64_t now, std::uint16_t path, Stage stage) noexcept {
  State* state = state_.get();
  if (state == nullptr || function >= state->functions() || slot.index > layout::other_communicators) return {};
  const std::uint64_t sequence =
      state->increase(slot.index, state->segment().communicator_rows[slot.index].collectives, 1) + 1;
  const layout::What what{.communicator = slot.index,
                          .function = function,
                          .path = path < state->paths() ? path : layout::no_path,
                          .stage = stage};
  return enter(*state, state->take_ticket(), sequence, what.packed(), bytes, now);
}

inline Flight SegmentWriter::enter(State& state, std::uint64_t ticket, std::uint64_t sequence, std::uint64_t what,
                                   std::uint64_t bytes, std::uint64_t now) noexcept {
  layout::FlightRow& row = state.segment().flight_rows[ticket % layout::flights];
  row.version.store(2 * ticket + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  row.sequence.store(sequence, std::memory_order_relaxed);
  row.what.store(what, std::memory_order_relaxed);
  row.bytes.store(bytes, std::memory_order_relaxed);
  row.entered.store(now, std::memory_order_relaxed);
  row.left.store(0, std::memory_order_relaxed);
  row.version.store(2 * ticket + 2, std::memory_order_release);
  if (ticket % State::calls_between_refreshes == State::calls_between_refreshes - 1) [[unlikely]]
    refresh_clock();
  return {.row = &row, .ticket = ticket, .entered = now, .bytes = bytes, .what = what};
}

inline void SegmentWriter::end(const Flight& flight, std::uint16_t path, std::uint64_t wire_bytes,
                               std::uint64_t now) noexcept {
  layout::TrafficRow* row = nullptr;
  end(flight, path, wire_bytes, now, row);
}

inline void SegmentWriter::end(const Flight& flight, std::uint16_t path, std::uint64_t wire_bytes, std::uint64_t now,
                               layout::TrafficRow*& row) noexcept {
  if (flight.row == nullptr) return;
  State& state = *state_;
  layout::What what = layout::What::unpack(flight.what);
  what.path = path < state.paths() ? path : layout::no_path;
  what.stage = Stage::done;
  State::leave(flight, what, now);
  if (row == nullptr) {
    const layout::Key key{.communicator = what.communicator,
                          .function = what.function,
                          .size_bucket = static_cast<std::uint8_t>(size_bucket(flight.bytes)),
                          .path = what.path};
    row = state.traffic(key.packed());
  }
  if (row == nullptr) return add(Counter::dropped, 1);
  const std::uint64_t duration = state.nanoseconds(now > flight.entered ? now - flight.entered : 0);
  state.increase(what.communicator, row->bytes, flight.bytes);
  if (wire_bytes != 0) state.increase(what.communicator, row->wire_bytes, wire_bytes);
  state.increase(what.communicator, row->nanoseconds, duration);
  state.increase(what.communicator, row->histogram[latency_bucket(duration)], 1);
}

inline AlikeCalls SegmentWriter::alike(const CommunicatorSlot& slot, std::uint16_t function, std::uint64_t bytes,
                                       std::uint16_t path, Stage stage, layout::TrafficRow* row) noexcept {
  if (state_ == nullptr || row == nullptr || state_->several_threads()) return {.bytes = bytes};
  const layout::What what{.communicator = slot.index, .function = function, .path = path, .stage = stage};
  return {.row = row, .what = what.packed(), .bytes = bytes};
}

inline Flight SegmentWriter::begin(const AlikeCalls& calls, std::uint64_t now) noexcept {
  State& state = *state_;
  layout::CommunicatorRow& communicator =
      state.segment().communicator_rows[layout::What::unpack(calls.what).communicator];
  const std::uint64_t sequence = State::increase_alone(communicator.collectives, 1) + 1;
  return enter(state, state.take_ticket_alone(), sequence, calls.what, calls.bytes, now);
}

inline void SegmentWriter::end(const AlikeCalls& calls, const Flight& flight, std::uint64_t now) noexcept {
  layout::What what = layout::What::unpack(calls.what);
  what.stage = Stage::done;
  State::leave(flight, what, now);
  const State& state = *state_;
  state.fetch_next_entry();
  const std::uint64_t duration = state.nanoseconds(now > flight.entered ? now - flight.entered : 0);
  layout::TrafficRow& row = *calls.row;
  State::increase_alone(row.bytes, calls.bytes);
  State::increase_alone(row.nanoseconds, duration);
  State::increase_alone(row.histogram[latency_bucket(duration)], 1);
}

inline void SegmentWriter::add_message_time(std::uint16_t function, std::uint64_t ticks) noexcept {
  State* const state = state_.get();
  if (state == nullptr || function >= state->functions()) return;
  state->increase(state->segment().message_ns[function], state->nanoseconds(ticks));
}

}  // namespace airamp::telemetry
