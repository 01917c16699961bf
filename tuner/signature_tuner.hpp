// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/explanation.hpp"
#include "tuner/native_times.hpp"
#include "tuner/review_windows.hpp"

namespace airamp::tuner {

/// What a decision obeys; equal on all ranks.
struct TuningRules {
  int warmup_iterations = 2;         ///< measuring calls before the first decision
  double min_speedup = 1.05;         ///< of the slowest rank, to leave native
  double max_relative_error = 0.05;  ///< largest relative L2 error that is acceptable
  Statistic of_native_times = Statistic::minimum;
  ReviewWindows windows = {};
};

/// One algorithm's measurement in one call, agreed: the maxima over all ranks.
struct CandidateMeasurement {
  double seconds = 0;         ///< infinite: it did not run on all ranks, and the errors say nothing
  double relative_error = 0;  ///< relative L2 error against the native result; NaN counts as too large
  double maximum_error = 0;   ///< largest absolute error of an element
};

/// All measurements of one call, agreed.
struct CallMeasurement {
  double native_seconds = 0;
  std::vector<CandidateMeasurement> candidates;
  double seconds_beyond_native = 0;  ///< what measuring took, agreements included, where that is much more than the
                                     ///< candidates themselves; else 0
};

/// Chooses between native and the candidates for one signature on one communicator, from agreed measurements alone, so
/// that every rank that feeds it the same calls takes the same decision. Knows no MPI and no clock.
///
/// First come 2 * `warmup_iterations` calls in which native is timed alone, since the first calls of a run are slower
/// than later ones (page faults, the allocator's and the MPI library's own adaptation), then `warmup_iterations` calls
/// that run both ways. Then the fastest candidate whose error is within bounds and whose speed-up, best time against
/// best time, reaches `min_speedup` is chosen, else native; where native goes by its median, against that of all these
/// calls. A monitor asks for another pair of such calls, or for as many of native alone as before the first decision if
/// it goes by its median, after a window that makes their cost at most 1 % of the calls' time, and doubles the window
/// as long as the decision holds. Times must speak against a decision twice in a row before it changes (as STAR-MPI's
/// monitor, Faraj, Yuan, Lowenthal, ICS 2006, asks for the whole window and the last calls), and must beat the
/// threshold by another 5 % to come back to a candidate; an error out of bounds ends a candidate at once and for good.
/// The first decision, if it is for a candidate or on calls that take much less time than measuring, is looked at again
/// after 8 calls, or as many as take twice as long as measuring does.
class SignatureTuner {
 public:
  static constexpr int native_choice = -1;

  SignatureTuner(const TuningRules& rules, std::size_t candidates);

  /// What the next call is to be.
  enum class Step {
    choice,        ///< run choice()
    native_alone,  ///< run and time native: record_native
    measurement    ///< run and time native and all candidates: record
  };
  Step next() const { return decided_ && calls_since_measurement_ < window_ ? Step::choice : next_measurement(); }

  /// How the times of a candidate within one call are to be taken, too.
  Statistic statistic() const { return native_times_.statistic(); }

  /// The candidate to run, or native_choice.
  int choice() const { return choice_; }

  /// Whether the first decision has been taken.
  bool decided() const { return decided_; }

  /// Counts `calls` calls that were not measured.
  void count_calls(std::uint64_t calls) { calls_since_measurement_ += calls; }

  /// Takes the agreed time of a call in which native was timed alone.
  void record_native(double seconds);

  /// Takes the agreed measurement of a measured call.
  void record(CallMeasurement measurement);

  /// Takes a candidate out of the race for good, and chooses among the others by their best times so far. `why`: for
  /// people. Once a decision has been taken.
  void give_up(std::size_t candidate, std::string_view why);

  /// Whether a candidate was given up.
  bool given_up(std::size_t candidate) const { return candidates_[candidate].given_up; }

  /// Of all that decides on later calls: tuners of the same number go on in the same way. Not 0.
  std::uint64_t digest() const;

  /// Best agreed times and errors so far, and their ratio; NaN before the first measurement.
  double native_seconds() const;
  double candidate_seconds(std::size_t candidate) const;
  double speedup(std::size_t candidate) const;
  double relative_error(std::size_t candidate) const;
  double maximum_error(std::size_t candidate) const;

  /// Why the choice is what it is.
  Explanation why() const;

 private:
  struct Candidate {
    double best_seconds;
    double relative_error = 0;
    double maximum_error = 0;
    bool banned = false;  ///< its error was out of bounds, or it was given up
    bool given_up = false;
    std::string why_given_up;
  };

  Step next_measurement() const;
  int best_so_far();
  void decide_first();
  void review(const CallMeasurement& measurement);
  int best_candidate(const CallMeasurement& measurement, double threshold);
  void note_dismissal(const CallMeasurement& measurement, double threshold);
  double call_seconds(const CallMeasurement& measurement) const;
  void set_window(const CallMeasurement& measurement, bool confirmed);
  void set_doubt_window(const CallMeasurement& measurement);

  TuningRules rules_;
  std::vector<Candidate> candidates_;
  double best_native_seconds_;
  NativeTimes native_times_;  ///< since the last measurement; of all before the first decision
  int native_calls_ = 0;      ///< timed alone since the last measurement; all of them before the first
  int measured_calls_ = 0;
  bool decided_ = false;
  int choice_ = native_choice;
  int rival_ = native_choice;  ///< what the last review would have chosen instead
  bool doubted_ = false;
  double dismissed_speedup_;        ///< of the best candidate, when native was last found better
  double dismissal_threshold_ = 0;  ///< which it did not reach
  std::uint64_t window_ = 0;
  std::uint64_t calls_since_measurement_ = 0;
};

}  // namespace airamp::tuner
