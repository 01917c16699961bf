// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/writer/writer_state.hpp"

#include <algorithm>
#include <utility>

namespace airamp::telemetry {

SegmentWriter::State::State(OpenedSegment opened, const Identity& identity) noexcept
    : segment_(&opened.mapping.segment()),
      several_threads_(identity.several_threads),
      functions_(static_cast<std::uint16_t>(std::min(identity.functions.size(), layout::functions))),
      paths_(static_cast<std::uint16_t>(std::min(identity.paths.size(), layout::paths))),
      opened_(std::move(opened)),
      traffic_(opened_.mapping.segment()) {}

layout::DecisionRow* SegmentWriter::State::decision(std::uint64_t key, std::string_view element,
                                                    std::string_view op) noexcept {
  layout::Segment& s = segment();
  std::uint32_t used = s.header.decisions.load();
  layout::DecisionRow* free = nullptr;
  for (std::uint32_t i = 0; i < used; ++i) {
    layout::DecisionRow& row = s.decision_rows[i];
    const std::uint64_t row_key = row.key.load();
    if (row_key == key && row.element.equals(element) && row.op.equals(op)) return &row;
    if (row_key == 0 && free == nullptr) free = &row;
  }
  while (free == nullptr && used < layout::decisions) {
    if (s.header.decisions.compare_exchange_weak(used, used + 1)) free = &s.decision_rows[used];
  }
  return free;
}

void SegmentWriter::State::begin_life(std::uint16_t index) noexcept {
  layout::CommunicatorRow& row = segment().communicator_rows[index];
  row.use.store(layout::CommunicatorUse::changing);
  row.version.fetch_add(1);
  lives_[index].first_flight.store(segment().header.flights.load());
}

std::uint16_t SegmentWriter::State::claim_communicator() noexcept {
  layout::Segment& s = segment();
  std::uint32_t used = s.header.communicators.load();
  while (used < layout::other_communicators) {
    if (!s.header.communicators.compare_exchange_weak(used, used + 1)) continue;
    const auto index = static_cast<std::uint16_t>(used);
    begin_life(index);
    return index;
  }
  while (reuses_.load() < frees_.load()) {
    std::uint16_t oldest = layout::other_communicators;
    std::uint64_t freed_as = UINT64_MAX;
    for (std::uint16_t i = 0; i < layout::other_communicators; ++i) {
      const std::uint64_t freed = lives_[i].freed_as.load(std::memory_order_relaxed);
      if (freed == 0 || freed >= freed_as) continue;
      oldest = i;
      freed_as = freed;
    }
    if (oldest == layout::other_communicators) return oldest;
    if (!lives_[oldest].freed_as.compare_exchange_strong(freed_as, 0)) continue;  // another thread's
    reuses_.fetch_add(1);
    give_to_others(oldest);
    begin_life(oldest);
    return oldest;
  }
  return layout::other_communicators;
}

void SegmentWriter::State::free_communicator(std::uint16_t index) noexcept {
  auto used = layout::CommunicatorUse::used;
  if (!segment().communicator_rows[index].use.compare_exchange_strong(used, layout::CommunicatorUse::freed)) return;
  lives_[index].end_of_flights.store(segment().header.flights.load());
  lives_[index].freed_as.store(frees_.fetch_add(1) + 1);
}

void SegmentWriter::State::give_to_others(std::uint16_t index) noexcept {
  layout::Segment& s = segment();
  const layout::CommunicatorRow& row = s.communicator_rows[index];
  layout::CommunicatorRow& others = s.communicator_rows[layout::other_communicators];
  others.collectives.fetch_add(row.collectives.load());
  others.pola_events.fetch_add(row.pola_events.load());
  others.pola_hits.fetch_add(row.pola_hits.load());
  others.pola_misses.fetch_add(row.pola_misses.load());
  others.lateness_ns.fetch_add(row.lateness_ns.load());
  others.waiting_ns.fetch_add(row.waiting_ns.load());
  const std::uint64_t lost = traffic_.release(index);
  s.header.counters[static_cast<std::size_t>(Counter::dropped)].fetch_add(lost);
  const std::uint32_t decided = s.header.decisions.load();
  for (std::uint32_t i = 0; i < decided; ++i) {
    layout::DecisionRow& decision = s.decision_rows[i];
    const layout::Key key = layout::Key::unpack(decision.key.load());
    if (key.valid && key.communicator == index) decision.key.store(0);
  }
  // the entries of later flights have other communicators', those of earlier ones were overwritten long ago
  const std::uint64_t end = lives_[index].end_of_flights.load();
  const std::uint64_t first = lives_[index].first_flight.load();
  const std::uint64_t now = s.header.flights.load();
  const std::uint64_t kept = now > layout::flights ? now - layout::flights : 0;
  for (std::uint64_t ticket = std::max(first, kept); ticket < end; ++ticket) {
    layout::FlightRow& flight = s.flight_rows[ticket % layout::flights];
    std::uint64_t packed = flight.what.load();
    layout::What what = layout::What::unpack(packed);
    if (what.communicator != index || flight.version.load() == 0) continue;
    what.communicator = layout::other_communicators;
    flight.what.compare_exchange_strong(packed, what.packed());
  }
}

void SegmentWriter::State::calibrate(const ClockReading& now) noexcept {
  const auto length =
      static_cast<std::uint64_t>(airamp::telemetry::nanoseconds_per_tick(opened_.opened, now) * 4294967296.0);
  if (length == 0) return;
  nanoseconds_per_tick_.store(length);
  if (first_nanoseconds_per_tick_.load() == 0) first_nanoseconds_per_tick_.store(length);
}

}  // namespace airamp::telemetry
