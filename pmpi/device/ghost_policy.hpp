// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace airamp::pmpi {

/// Decides for one communicator on one rank before which collectives ghosts keep the GPU awake (docs/gpu.md). At first
/// it tries: at every place of the pattern one window without ghosts and one with them take turns, and the durations of
/// the collectives after the two make a pair. After `trial_pairs` pairs the median of their ratios decides, once. The
/// times are this rank's own, and nothing that another rank sees depends on them. O(1) a call. Not thread-safe.
class GhostPolicy {
 public:
  /// A shorter gap leaves the device no time to fall idle.
  static constexpr std::int64_t shortest_gap_ns = 20'000;
  /// No launch later than this before the expected call.
  static constexpr std::int64_t lead_ns = 10'000;
  /// A call that is expected later than this gets a device that has fallen idle again.
  static constexpr std::int64_t longest_window_ns = 100'000'000;
  /// Between two launches.
  static constexpr std::int64_t interval_ns = 50'000;
  static constexpr std::size_t trial_pairs = 32;
  /// Share of a collective's duration that must be gained.
  static constexpr double least_gain = 0.02;

  enum class Verdict : std::uint8_t { trying, on, off };

  /// A collective on GPU memory that has just ended. Times are of the monotonic clock.
  struct Call {
    std::uint64_t place = 0;  ///< Stream::place() after it
    bool locked = false;      ///< whether the pattern is, after it
    std::int64_t left_ns = 0;
    std::int64_t duration_ns = 0;             ///< its own, without the wait for the other ranks
    std::optional<std::int64_t> expected_ns;  ///< when the next one is expected
  };

  /// Until when ghosts may be launched before the next call, in nanoseconds of the same clock; nothing if none are
  /// wanted.
  std::optional<std::int64_t> end_call(const Call& call);

  /// A collective that was not on GPU memory: its duration says nothing.
  void skip_call() { before_next_ = nullptr; }

  Verdict verdict() const { return verdict_; }

  /// Of durations with ghosts to those without, once there is a verdict.
  double median_ratio() const { return median_ratio_; }

 private:
  /// A place of the pattern, and the first half of a pair.
  struct Place {
    std::uint64_t name = 0;
    std::int64_t without_ns = 0;  ///< 0: the next window is the one without ghosts
  };

  /// nullptr if there are more places than are kept: they do not take part in the trial.
  Place* find(std::uint64_t name);
  void record(Place& place, std::int64_t duration_ns);
  void decide();

  static constexpr std::size_t max_places = 64;
  std::array<Place, max_places> places_{};
  std::size_t known_places_ = 0;
  Place* before_next_ = nullptr;  ///< whose window it is, if the next call's duration counts
  std::array<double, trial_pairs> ratios_{};
  std::size_t pairs_ = 0;
  double median_ratio_ = 0;
  Verdict verdict_ = Verdict::trying;
};

}  // namespace airamp::pmpi
