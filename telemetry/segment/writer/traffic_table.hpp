// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "telemetry/segment/layout.hpp"

namespace airamp::telemetry {

/// Finds the rows of a segment's traffic by key: a hash table with open addressing in the writer's own memory over the
/// densely used rows of the segment, so that a reader copies only rows in use. Lock-free; threads that add the same key
/// at the same time may leave two rows for it, which readers add up.
class TrafficTable {
 public:
  explicit TrafficTable(layout::Segment& segment) : rows_(segment.traffic_rows), used_(segment.header.traffic) {}

  /// The row of a packed layout::Key, made if there is none. Without room, the row of the same key for other
  /// communicators; nullptr if there is no room for that either. No system call, no allocation.
  layout::TrafficRow* find(std::uint64_t packed) noexcept {
    const std::uint16_t number = index_[home(packed)].load(std::memory_order_acquire);
    if (number != empty && number != deleted) [[likely]] {
      layout::TrafficRow& row = rows_[number - 1U];
      if (row.key.load(std::memory_order_relaxed) == packed) [[likely]]
        return &row;
    }
    return find_or_make(layout::Key::unpack(packed));
  }

  /// Adds the rows of a communicator that nobody uses any more to those of other communicators, and frees them. Returns
  /// how many rows' figures found no room there.
  std::uint64_t release(std::uint16_t communicator) noexcept;

 private:
  static constexpr std::size_t slots = 2048;
  static constexpr std::size_t longest_probe = 32;
  /// Rows that only `other_communicators` may take.
  static constexpr std::uint32_t reserved_rows = 64;
  static constexpr std::uint16_t empty = 0;
  static constexpr std::uint16_t deleted = 0xffff;

  /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4) to 11 bits.
  static std::size_t home(std::uint64_t packed) noexcept {
    return static_cast<std::size_t>((packed * 0x9e37'79b9'7f4a'7c15) >> 53);
  }

  layout::TrafficRow* find_or_make(layout::Key key) noexcept;
  layout::TrafficRow* find_exactly(layout::Key key) noexcept;
  std::uint16_t claim_row(layout::Key key) noexcept;
  void link(std::uint16_t number, std::uint16_t communicator) noexcept;
  bool remove_from_index(std::uint16_t number, std::uint64_t packed) noexcept;
  bool move_to_others(layout::TrafficRow& row, layout::Key key) noexcept;

  std::array<layout::TrafficRow, layout::traffic>& rows_;
  layout::HalfWord& used_;
  /// Number of a row plus 1, `empty` or `deleted`.
  std::array<std::atomic<std::uint16_t>, slots> index_{};
  /// The rows of each communicator, as numbers plus 1: its latest, and of each row the one before.
  std::array<std::atomic<std::uint16_t>, layout::communicators> latest_{};
  std::array<std::atomic<std::uint16_t>, layout::traffic> before_{};
  std::atomic<std::uint32_t> freed_last_{0};  ///< the row where a search for a free one begins
};

}  // namespace airamp::telemetry
