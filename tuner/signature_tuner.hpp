// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace airamp::tuner {

/// What a decision obeys; equal on all ranks.
struct TuningRules {
  int warmup_iterations = 2;         ///< measuring calls before the first decision
  double min_speedup = 1.05;         ///< of the slowest rank, to leave native
  double max_relative_error = 0.05;  ///< largest relative L2 error that is acceptable
};

/// One algorithm's measurement in one call, agreed: the maxima over all ranks.
struct CandidateMeasurement {
  double seconds = 0;
  double relative_error = 0;  ///< relative L2 error against the native result; NaN counts as too large
  double maximum_error = 0;   ///< largest absolute error of an element
};

/// All measurements of one call, agreed.
struct CallMeasurement {
  double native_seconds = 0;
  std::vector<CandidateMeasurement> candidates;
};

/// Chooses between native and the candidates for one signature on one communicator, from agreed measurements alone, so
/// that every rank that feeds it the same calls takes the same decision. Knows no MPI and no clock.
///
/// The first `warmup_iterations` calls are measured; then the fastest candidate whose error is within bounds and whose
/// speed-up reaches `min_speedup` is chosen, else native. A monitor asks for another measuring call after a window of
/// calls that makes its cost at most 1 % of the calls' time, and doubles the window as long as the decision holds.
/// Times must speak against a decision twice in a row before it changes (as STAR-MPI's monitor, Faraj, Yuan, Lowenthal,
/// ICS 2006, asks for the whole window and the last calls), and must beat the threshold by another 5 % to come back to
/// a candidate; an error out of bounds ends a candidate at once and for good.
class SignatureTuner {
 public:
  static constexpr int native_choice = -1;

  SignatureTuner(const TuningRules& rules, std::size_t candidates);

  /// Whether the next call is to be measured.
  bool measures_next() const;

  /// The candidate to run in calls that are not measured, or native_choice.
  int choice() const { return choice_; }

  /// Whether the first decision has been taken.
  bool decided() const { return decided_; }

  /// Counts `calls` calls that were not measured.
  void count_calls(std::uint64_t calls) { calls_since_measurement_ += calls; }

  /// Takes the agreed measurement of a measured call.
  void record(const CallMeasurement& measurement);

  /// Best agreed times and errors so far, and their ratio; NaN before the first measurement.
  double native_seconds() const;
  double candidate_seconds(std::size_t candidate) const;
  double speedup(std::size_t candidate) const;
  double relative_error(std::size_t candidate) const;
  double maximum_error(std::size_t candidate) const;

  /// The decision's reason, for people.
  std::string why() const;

  /// Calls until the next measuring call.
  std::uint64_t calls_to_next_measurement() const;

 private:
  struct Candidate {
    double best_seconds;
    double relative_error = 0;
    double maximum_error = 0;
    bool banned = false;  ///< its error was out of bounds
  };

  void decide_first();
  void review(const CallMeasurement& measurement);
  int best_candidate(const CallMeasurement& measurement, double threshold) const;
  void set_window(const CallMeasurement& measurement, bool confirmed);

  TuningRules rules_;
  std::vector<Candidate> candidates_;
  double best_native_seconds_;
  int measured_calls_ = 0;
  bool decided_ = false;
  int choice_ = native_choice;
  int rival_ = native_choice;  ///< what the last review would have chosen instead
  bool doubted_ = false;
  std::uint64_t window_ = 0;
  std::uint64_t calls_since_measurement_ = 0;
};

}  // namespace airamp::tuner
