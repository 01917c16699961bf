// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fetch_to_write.hpp"
#include "telemetry/segment/layout.hpp"
#include "telemetry/segment/tick_clock.hpp"
#include "telemetry/segment/writer/open_segment.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/traffic_table.hpp"

namespace airamp::telemetry {

/// What a writer knows beside the segment itself, and the rows that it hands out.
struct alignas(64) SegmentWriter::State {
 public:
  static constexpr std::uint64_t calls_between_refreshes = std::uint64_t{1} << 16;

  State(OpenedSegment opened, const Identity& identity) noexcept;

  layout::Segment& segment() noexcept { return *segment_; }
  const std::string& file() const noexcept { return opened_.file; }
  bool several_threads() const noexcept { return several_threads_; }
  void expect_several_threads() noexcept { several_threads_ = true; }
  std::uint16_t functions() const noexcept { return functions_; }
  std::uint16_t paths() const noexcept { return paths_; }

  /// Adds to a figure of the whole rank, and returns what was there before. Without other threads no locked instruction
  /// is needed.
  std::uint64_t increase(layout::Word& word, std::uint64_t amount) noexcept {
    if (several_threads_) return word.fetch_add(amount, std::memory_order_relaxed);
    return increase_alone(word, amount);
  }

  /// The same where there are none.
  static std::uint64_t increase_alone(layout::Word& word, std::uint64_t amount) noexcept {
    const std::uint64_t before = word.load(std::memory_order_relaxed);
    word.store(before + amount, std::memory_order_relaxed);
    return before;
  }

  /// Adds to a figure of one communicator: MPI forbids two collectives on one at the same time (MPI 4.1, 6.14), so only
  /// the entry that several share needs a locked instruction.
  std::uint64_t increase(std::uint16_t communicator, layout::Word& word, std::uint64_t amount) noexcept {
    if (communicator == layout::other_communicators) [[unlikely]]
      return increase(word, amount);
    return increase_alone(word, amount);
  }

  /// Publishes a sum of one communicator; the shared entry gets what it does not have of it yet. `given`: what it has.
  void set_sum(std::uint16_t communicator, layout::Word& word, std::uint64_t& given, std::uint64_t sum) noexcept {
    if (communicator != layout::other_communicators) [[likely]] {
      word.store(sum, std::memory_order_relaxed);
    } else if (sum > given) {
      increase(word, sum - given);
      given = sum;
    }
  }

  /// The place of the next flight: skips entries that other threads are still inside of.
  std::uint64_t take_ticket() noexcept {
    layout::Segment& s = segment();
    if (!several_threads_) return take_ticket_alone();
    std::uint64_t ticket = increase(s.header.flights, 1);
    for (int i = 0; i < max_skipped && inside(s.flight_rows[ticket % layout::flights]); ++i) {
      ticket = increase(s.header.flights, 1);
    }
    return ticket;
  }

  /// The same where there is one thread alone.
  std::uint64_t take_ticket_alone() noexcept {
    const std::uint64_t ticket = next_ticket_++;
    segment_->header.flights.store(next_ticket_, std::memory_order_relaxed);
    return ticket;
  }
  /// Has the processor fetch the entry of the next flight, which was written long ago.
  void fetch_next_entry() const noexcept {
    base::fetch_to_write(&segment_->flight_rows[next_ticket_ % layout::flights]);
  }

  /// The entry of a flight, unless it has none or another one has taken its place.
  static layout::FlightRow* row_of(const Flight& flight) noexcept {
    const bool own =
        flight.row != nullptr && flight.row->version.load(std::memory_order_relaxed) == 2 * flight.ticket + 2;
    return own ? flight.row : nullptr;
  }

  /// Says in its entry that a call is over.
  static void leave(const Flight& flight, const layout::What& what, std::uint64_t now) noexcept {
    layout::FlightRow* const own = row_of(flight);
    if (own == nullptr) return;
    own->left.store(now, std::memory_order_release);
    own->what.store(what.packed(), std::memory_order_release);
  }

  layout::TrafficRow* traffic(std::uint64_t packed_key) noexcept { return traffic_.find(packed_key); }

  /// A decision's row, or a free one; nullptr if there is none.
  layout::DecisionRow* decision(std::uint64_t key, std::string_view element, std::string_view op) noexcept;

  /// A communicator's entry with an odd version, for the caller to fill: one never used, else the one freed longest
  /// ago, whose figures go to the shared entry. `other_communicators` if all are in use.
  std::uint16_t claim_communicator() noexcept;
  /// Whether it would be another one.
  bool has_room() const noexcept {
    return segment_->header.communicators.load() < layout::other_communicators || reuses_.load() < frees_.load();
  }
  void free_communicator(std::uint16_t index) noexcept;

  /// Takes the length of a tick from the time since the segment was opened.
  void calibrate(const ClockReading& now) noexcept;

  std::uint64_t nanoseconds(std::uint64_t ticks) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(
        (static_cast<Wide>(ticks) * nanoseconds_per_tick_.load(std::memory_order_relaxed)) >> 32);
  }

  /// As long as the process lives by the first calibration.
  std::int64_t nanoseconds_since_open(std::uint64_t ticks) const noexcept {
    __extension__ using Wide = __int128;
    const auto since = static_cast<std::int64_t>(ticks - opened_.opened.ticks);
    const auto length = static_cast<std::int64_t>(first_nanoseconds_per_tick_.load(std::memory_order_relaxed));
    return static_cast<std::int64_t>((static_cast<Wide>(since) * length) >> 32);
  }

 private:
  static constexpr int max_skipped = 8;

  /// Whether some call is inside of what the entry shows.
  static bool inside(const layout::FlightRow& row) noexcept {
    return row.left.load(std::memory_order_relaxed) == 0 && row.version.load(std::memory_order_relaxed) != 0;
  }

  /// What of a communicator's entry is for the writer alone.
  struct Life {
    std::atomic<std::uint64_t> freed_as{0};        ///< its place in the order of frees; 0: vacant or in use
    std::atomic<std::uint64_t> first_flight{0};    ///< its flights' tickets lie from here ...
    std::atomic<std::uint64_t> end_of_flights{0};  ///< ... to before this one
  };

  void begin_life(std::uint16_t index) noexcept;
  void give_to_others(std::uint16_t index) noexcept;

  // what every call needs, in one cache line
  layout::Segment* segment_;  ///< of `opened_`
  bool several_threads_;
  std::uint16_t functions_;
  std::uint16_t paths_;
  std::atomic<std::uint64_t> nanoseconds_per_tick_{std::uint64_t{1} << 32};  ///< times 2^32
  std::uint64_t next_ticket_ = 0;                                            ///< of one thread alone

  OpenedSegment opened_;
  std::atomic<std::uint64_t> first_nanoseconds_per_tick_{0};  ///< likewise; 0: not calibrated yet
  std::atomic<std::uint64_t> frees_{0};
  std::atomic<std::uint64_t> reuses_{0};
  std::array<Life, layout::communicators> lives_{};
  TrafficTable traffic_;
};

}  // namespace airamp::telemetry
