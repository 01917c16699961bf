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
  layout::Segment& segment = state->segment();
  const std::uint64_t sequence = state->increase(slot.index, segment.communicator_rows[slot.index].collectives, 1) + 1;
  const std::uint64_t ticket = state->take_ticket();
  layout::FlightRow& row = segment.flight_rows[ticket % layout::flights];
  row.version.store(2 * ticket + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  row.sequence.store(sequence, std::memory_order_relaxed);
  const layout::What what{.communicator = slot.index,
                          .function = function,
                          .path = path < state->paths() ? path : layout::no_path,
                          .stage = stage};
  row.what.store(what.packed(), std::memory_order_relaxed);
  row.bytes.store(bytes, std::memory_order_relaxed);
  row.entered.store(now, std::memory_order_relaxed);
  row.left.store(0, std::memory_order_relaxed);
  row.version.store(2 * ticket + 2, std::memory_order_release);
  if (ticket % State::calls_between_refreshes == State::calls_between_refreshes - 1) [[unlikely]]
    refresh_clock();
  return {
      .row = &row, .ticket = ticket, .entered = now, .bytes = bytes, .communicator = slot.index, .function = function};
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
  if (path >= state.paths()) path = layout::no_path;
  if (layout::FlightRow* const own = State::row_of(flight)) {
    own->left.store(now, std::memory_order_release);
    own->what.store(
        layout::What{
            .communicator = flight.communicator, .function = flight.function, .path = path, .stage = Stage::done}
            .packed(),
        std::memory_order_release);
  }
  if (row == nullptr) {
    const layout::Key key{.communicator = flight.communicator,
                          .function = flight.function,
                          .size_bucket = static_cast<std::uint8_t>(size_bucket(flight.bytes)),
                          .path = path};
    row = state.traffic(key.packed());
  }
  if (row == nullptr) return add(Counter::dropped, 1);
  const std::uint64_t duration = state.nanoseconds(now > flight.entered ? now - flight.entered : 0);
  state.increase(flight.communicator, row->bytes, flight.bytes);
  if (wire_bytes != 0) state.increase(flight.communicator, row->wire_bytes, wire_bytes);
  state.increase(flight.communicator, row->nanoseconds, duration);
  state.increase(flight.communicator, row->histogram[latency_bucket(duration)], 1);
}

inline void SegmentWriter::add_message_time(std::uint16_t function, std::uint64_t ticks) noexcept {
  State* const state = state_.get();
  if (state == nullptr || function >= state->functions()) return;
  state->increase(state->segment().message_ns[function], state->nanoseconds(ticks));
}

}  // namespace airamp::telemetry
