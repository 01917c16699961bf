// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/writer/segment_writer.hpp"

#include <bit>
#include <exception>
#include <utility>

#include "telemetry/segment/writer/open_segment.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"
#include "telemetry/segment/writer/writer_state.hpp"

namespace airamp::telemetry {
namespace {

std::uint64_t nanoseconds(double seconds) {
  return seconds > 0 && seconds < 1e9 ? static_cast<std::uint64_t>(seconds * 1e9) : 0;
}

/// Whether a version could be made odd: nobody else changes the row.
bool lock_version(layout::Word& version) {
  std::uint64_t before = version.load(std::memory_order_relaxed);
  if ((before & 1U) != 0 || !version.compare_exchange_strong(before, before + 1, std::memory_order_acquire)) {
    return false;
  }
  // The row's stores must not be seen before the odd version.
  std::atomic_thread_fence(std::memory_order_release);
  return true;
}

void unlock_version(layout::Word& version) {
  version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace

SegmentWriter::OpenResult SegmentWriter::open(const std::string& folder, const std::string& job,
                                              const Identity& identity) noexcept {
  OpenResult result;
  try {
    OpenedSegment opened = open_segment(folder, job, identity);
    result.why_off = std::move(opened.why_not);
    if (!result.why_off.empty()) return result;
    result.writer = SegmentWriter(new State(std::move(opened), identity));
    result.writer.refresh_clock();
  } catch (const std::exception& error) {
    result.writer = SegmentWriter();
    // Short enough for the string's own room: there may be no memory.
    result.why_off = "no memory";
  }
  return result;
}

SegmentWriter::SegmentWriter(State* state) noexcept : state_(state), clock_(tick_clock_kind()) {}

void SegmentWriter::DeleteState::operator()(State* state) const noexcept { delete state; }

CommunicatorSlot SegmentWriter::add_communicator(std::uint64_t key, std::string_view name, int size,
                                                 int rank) noexcept {
  if (state_ == nullptr) return {};
  const std::uint16_t index = state_->claim_communicator();
  if (index == layout::other_communicators) return {};
  layout::CommunicatorRow& row = state_->segment().communicator_rows[index];
  row.key.store(key);
  row.size.store(static_cast<std::uint32_t>(size));
  row.rank.store(static_cast<std::uint32_t>(rank));
  row.name.store(name);
  for (layout::Word* figure : {&row.collectives, &row.pola_period, &row.pola_events, &row.pola_hits, &row.pola_misses,
                               &row.lateness_ns, &row.waiting_ns}) {
    figure->store(0);
  }
  row.pola_state.store(PolaState::off);
  row.use.store(layout::CommunicatorUse::used);
  unlock_version(row.version);
  return {index};
}

bool SegmentWriter::has_room() const noexcept { return state_ != nullptr && state_->has_room(); }

void SegmentWriter::rename_communicator(const CommunicatorSlot& slot, std::string_view name) noexcept {
  if (state_ == nullptr || slot.index >= layout::other_communicators) return;
  layout::CommunicatorRow& row = state_->segment().communicator_rows[slot.index];
  if (!lock_version(row.version)) return;
  row.name.store(name);
  unlock_version(row.version);
}

void SegmentWriter::free_communicator(const CommunicatorSlot& slot) noexcept {
  if (state_ != nullptr && slot.index < layout::other_communicators) state_->free_communicator(slot.index);
}

void SegmentWriter::stage(const Flight& flight, Stage stage) noexcept {
  if (layout::FlightRow* row = State::row_of(flight)) {
    layout::What what = layout::What::unpack(row->what.load(std::memory_order_relaxed));
    what.stage = stage;
    row->what.store(what.packed(), std::memory_order_release);
  }
}

void SegmentWriter::path(const Flight& flight, std::uint16_t path) noexcept {
  if (layout::FlightRow* row = State::row_of(flight); row != nullptr && path < state_->paths()) {
    layout::What what = layout::What::unpack(row->what.load(std::memory_order_relaxed));
    what.path = path;
    row->what.store(what.packed(), std::memory_order_release);
  }
}

void SegmentWriter::path(const Flight& flight, std::uint16_t path, Stage stage) noexcept {
  layout::FlightRow* const row = State::row_of(flight);
  if (row == nullptr || path >= state_->paths()) return;
  layout::What what = layout::What::unpack(flight.what);
  what.path = path;
  what.stage = stage;
  row->what.store(what.packed(), std::memory_order_release);
}

void SegmentWriter::set_decision(const CommunicatorSlot& slot, const DecisionFigures& figures) noexcept {
  if (state_ == nullptr || figures.function >= state_->functions() || figures.path >= state_->paths()) return;
  const std::uint64_t key = layout::Key{.communicator = slot.index,
                                        .function = figures.function,
                                        .size_bucket = figures.size_bucket,
                                        .path = layout::no_path}
                                .packed();
  layout::DecisionRow* row = state_->decision(key, figures.element, figures.op);
  if (row == nullptr) return add(Counter::dropped, 1);
  if (!lock_version(row->version)) return;
  row->key.store(key);
  row->path.store(figures.path);
  row->speedup.store(std::bit_cast<std::uint64_t>(figures.speedup));
  row->relative_error.store(std::bit_cast<std::uint64_t>(figures.relative_error));
  row->native_seconds.store(std::bit_cast<std::uint64_t>(figures.native_seconds));
  row->airamp_seconds.store(std::bit_cast<std::uint64_t>(figures.airamp_seconds));
  row->element.store(figures.element);
  row->op.store(figures.op);
  row->state.store(static_cast<std::uint32_t>(figures.state));
  row->reason.store(static_cast<std::uint32_t>(figures.reason));
  row->why.store(figures.why);
  unlock_version(row->version);
}

void SegmentWriter::set_pola(const CommunicatorSlot& slot, const PolaFigures& figures) noexcept {
  if (state_ == nullptr || slot.index > layout::other_communicators) return;
  layout::CommunicatorRow& row = state_->segment().communicator_rows[slot.index];
  row.pola_state.store(figures.state, std::memory_order_relaxed);
  row.pola_period.store(figures.period, std::memory_order_relaxed);
  state_->set_sum(slot.index, row.pola_events, slot.shared.pola_events, figures.events);
  state_->set_sum(slot.index, row.pola_hits, slot.shared.pola_hits, figures.hits);
  state_->set_sum(slot.index, row.pola_misses, slot.shared.pola_misses, figures.misses);
}

void SegmentWriter::set_waits(const CommunicatorSlot& slot, double lateness_seconds, double waiting_seconds) noexcept {
  if (state_ == nullptr || slot.index > layout::other_communicators) return;
  layout::CommunicatorRow& row = state_->segment().communicator_rows[slot.index];
  state_->set_sum(slot.index, row.lateness_ns, slot.shared.lateness_ns, nanoseconds(lateness_seconds));
  state_->set_sum(slot.index, row.waiting_ns, slot.shared.waiting_ns, nanoseconds(waiting_seconds));
}

void SegmentWriter::set(Counter counter, std::uint64_t value) noexcept {
  if (state_ == nullptr) return;
  state_->segment().header.counters[static_cast<std::size_t>(counter)].store(value, std::memory_order_relaxed);
}

void SegmentWriter::expect_several_threads() noexcept {
  if (state_ != nullptr) state_->expect_several_threads();
}

void SegmentWriter::set_on(bool on, std::string_view why_off) noexcept {
  if (state_ == nullptr) return;
  layout::Header& header = state_->segment().header;
  if (!lock_version(header.state_version)) return;
  header.on.store(on ? 1 : 0);
  header.why_off.store(why_off);
  unlock_version(header.state_version);
}

void SegmentWriter::set_gpu(std::string_view gpu) noexcept {
  if (state_ == nullptr) return;
  layout::Header& header = state_->segment().header;
  if (!lock_version(header.state_version)) return;
  header.gpu.store(gpu);
  unlock_version(header.state_version);
}

void SegmentWriter::refresh_clock() noexcept {
  if (state_ == nullptr) return;
  layout::Header& header = state_->segment().header;
  if (!lock_version(header.latest_version)) return;
  const ClockReading reading = read_clocks(clock_);
  header.latest.ticks.store(reading.ticks);
  header.latest.monotonic_ns.store(reading.monotonic_ns);
  header.latest.realtime_ns.store(reading.realtime_ns);
  state_->calibrate(reading);
  unlock_version(header.latest_version);
}

void SegmentWriter::finalize() noexcept {
  if (state_ == nullptr) return;
  layout::Header& header = state_->segment().header;
  refresh_clock();
  header.finalized_ns.store(clock_ns(CLOCK_REALTIME));
  header.finalized.store(1);
}

const std::string& SegmentWriter::file() const noexcept {
  static const std::string& none = *new std::string;  // never destroyed: MPI_Finalize may come in an exit handler
  return state_ == nullptr ? none : state_->file();
}

}  // namespace airamp::telemetry
