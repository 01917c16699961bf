// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace airamp::pola {

/// Forecasts when a rank enters its next collective call, from how long it computed at the same place of the pattern
/// before. Kept apart from Stream so that no time can reach a decision. All times are of one clock, in nanoseconds.
/// O(1) a call; 5 KiB from the first call on. Not thread-safe.
class ArrivalForecast {
 public:
  /// Takes a call that has ended; `place` is Stream::place() after that call was observed. False if memory ran out:
  /// there is no forecast then.
  bool observe(std::uint64_t place, std::int64_t entered_ns, std::int64_t left_ns) noexcept;

  /// When the next call is expected; none while its place is unknown.
  std::optional<std::int64_t> expected_ns() const { return expected_ns_; }

  /// How much later than expected the latest call came, negative if earlier; none if it was not expected.
  std::optional<std::int64_t> lateness_ns() const { return lateness_ns_; }

 private:
  /// What is known of the time between leaving a call at one place and entering the next.
  struct Gap {
    std::uint64_t place = 0;
    std::int64_t average_ns = 0;
    std::int64_t deviation_ns = 0;  ///< average distance from the average
    std::uint32_t count = 0;        ///< gaps seen, saturating
    std::uint64_t last_use = 0;     ///< in calls, of which a day can have more than 2^32
  };

  static void learn(Gap& gap, std::int64_t gap_ns);
  Gap& find(std::uint64_t place);

  static constexpr std::size_t bucket_gaps = 4;
  static constexpr std::size_t gap_count = 128;
  std::unique_ptr<std::array<Gap, gap_count>> gaps_;
  std::uint64_t calls_ = 0;
  Gap* after_last_ = nullptr;
  std::int64_t left_ns_ = 0;
  std::optional<std::int64_t> expected_ns_;
  std::optional<std::int64_t> lateness_ns_;
};

}  // namespace airamp::pola
