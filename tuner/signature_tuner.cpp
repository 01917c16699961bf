// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/signature_tuner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/digest.hpp"

namespace airamp::tuner {
namespace {

constexpr double return_margin = 1.05;  // a candidate that was dismissed must beat the threshold by this

double not_measured() { return std::numeric_limits<double>::quiet_NaN(); }

/// On all ranks: one that could not says so by an infinite time.
bool did_run(const CandidateMeasurement& measured) { return std::isfinite(measured.seconds); }

}  // namespace

SignatureTuner::SignatureTuner(const TuningRules& rules, std::size_t candidates)
    : rules_(rules),
      candidates_(candidates, Candidate{.best_seconds = not_measured()}),
      best_native_seconds_(not_measured()),
      native_times_(rules.of_native_times),
      dismissed_speedup_(not_measured()) {}

SignatureTuner::Step SignatureTuner::next_measurement() const {
  const int several = 2 * rules_.warmup_iterations;
  const int wanted = decided_ ? (statistic() == Statistic::median ? several : 1) : measured_calls_ == 0 ? several : 0;
  return native_calls_ < wanted ? Step::native_alone : Step::measurement;
}

void SignatureTuner::record_native(double seconds) {
  native_times_.add(seconds);
  ++native_calls_;
}

void SignatureTuner::record(CallMeasurement measurement) {
  native_times_.add(measurement.native_seconds);
  measurement.native_seconds = native_times_.seconds();
  native_calls_ = 0;
  best_native_seconds_ = decided_ ? std::fmin(best_native_seconds_, measurement.native_seconds)  // passes over NaN
                                  : measurement.native_seconds;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const CandidateMeasurement& measured = measurement.candidates[i];
    Candidate& candidate = candidates_[i];
    if (!did_run(measured)) continue;
    candidate.best_seconds = std::fmin(candidate.best_seconds, measured.seconds);
    candidate.maximum_error = std::fmax(candidate.maximum_error, measured.maximum_error);
    const bool acceptable = measured.relative_error <= rules_.max_relative_error;  // false for NaN
    if (acceptable) {
      candidate.relative_error = std::fmax(candidate.relative_error, measured.relative_error);
    } else {
      candidate.relative_error = measured.relative_error;
      candidate.banned = true;
    }
  }
  ++measured_calls_;
  calls_since_measurement_ = 0;
  if (!decided_) {
    if (measured_calls_ >= rules_.warmup_iterations) {
      decide_first();
      set_window(measurement, false);
      // first calls are often slower than later ones, and of short calls a few times say little
      if (choice_ != native_choice || measurement.seconds_beyond_native > 0) set_doubt_window(measurement);
    }
  } else {
    review(measurement);
  }
  if (decided_) native_times_.clear();
}

void SignatureTuner::give_up(std::size_t candidate, std::string_view why) {
  candidates_[candidate].banned = true;
  candidates_[candidate].given_up = true;
  candidates_[candidate].why_given_up = why;
  if (choice_ == static_cast<int>(candidate)) choice_ = best_so_far();
  doubted_ = false;
}

int SignatureTuner::best_so_far() {
  CallMeasurement best{.native_seconds = best_native_seconds_, .candidates = {}};
  for (const Candidate& candidate : candidates_) best.candidates.push_back({.seconds = candidate.best_seconds});
  return best_candidate(best, rules_.min_speedup);
}

void SignatureTuner::decide_first() {
  choice_ = best_so_far();
  decided_ = true;
}

/// Notes why, if it is native.
int SignatureTuner::best_candidate(const CallMeasurement& measurement, double threshold) {
  int best = native_choice;
  double best_seconds = measurement.native_seconds / threshold;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (candidates_[i].banned) continue;
    if (measurement.candidates[i].seconds <= best_seconds) {
      best_seconds = measurement.candidates[i].seconds;
      best = static_cast<int>(i);
    }
  }
  if (best == native_choice) note_dismissal(measurement, threshold);
  return best;
}

/// What is said of native as long as it is the choice. Of candidates of which none ran nothing new.
void SignatureTuner::note_dismissal(const CallMeasurement& measurement, double threshold) {
  double best = not_measured();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const CandidateMeasurement& measured = measurement.candidates[i];
    if (!candidates_[i].banned && did_run(measured))
      best = std::fmax(best, measurement.native_seconds / measured.seconds);
  }
  if (std::isnan(best)) return;
  dismissed_speedup_ = best;
  dismissal_threshold_ = threshold;
}

void SignatureTuner::review(const CallMeasurement& measurement) {
  if (choice_ != native_choice && candidates_[static_cast<std::size_t>(choice_)].banned) {
    choice_ = best_candidate(measurement, rules_.min_speedup);
    doubted_ = false;
    set_window(measurement, false);
    return;
  }
  int preferred = best_candidate(measurement, choice_ == native_choice ? rules_.min_speedup * return_margin : 1.0);
  if (choice_ != native_choice && preferred != native_choice && preferred != choice_) {
    const double own = measurement.candidates[static_cast<std::size_t>(choice_)].seconds;
    const double other = measurement.candidates[static_cast<std::size_t>(preferred)].seconds;
    if (other * return_margin > own) preferred = choice_;  // not worth a change
  }
  if (preferred == choice_) {
    doubted_ = false;
    set_window(measurement, true);
  } else if (doubted_ && preferred == rival_) {
    choice_ = preferred;
    doubted_ = false;
    set_window(measurement, false);
  } else {
    doubted_ = true;
    rival_ = preferred;
    set_doubt_window(measurement);
  }
}

/// Of a call as it is decided.
double SignatureTuner::call_seconds(const CallMeasurement& measurement) const {
  if (choice_ == native_choice) return measurement.native_seconds;
  const CandidateMeasurement& chosen = measurement.candidates[static_cast<std::size_t>(choice_)];
  return did_run(chosen) ? chosen.seconds : measurement.native_seconds;
}

void SignatureTuner::set_window(const CallMeasurement& measurement, bool confirmed) {
  const double call = call_seconds(measurement);
  double cost = measurement.native_seconds - call;  // of a measurement, beyond the call's own
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (did_run(measurement.candidates[i])) cost += measurement.candidates[i].seconds;
  }
  cost = std::max(cost, measurement.seconds_beyond_native);
  const ReviewWindows& windows = rules_.windows;
  const double calls = call > 0 ? cost / (windows.share * call) : 0;
  auto window = static_cast<std::uint64_t>(
      std::clamp(calls, static_cast<double>(windows.smallest), static_cast<double>(windows.largest)));
  if (confirmed) window = std::max(window, std::min(2 * window_, windows.largest));
  window_ = window;
}

/// Short, but of calls that take much less than to measure them not so short that measuring is most of what they do.
void SignatureTuner::set_doubt_window(const CallMeasurement& measurement) {
  const double call = call_seconds(measurement);
  const ReviewWindows& windows = rules_.windows;
  const double calls = call > 0 ? measurement.seconds_beyond_native / (windows.share_in_doubt * call) : 0;
  const auto least = static_cast<std::uint64_t>(std::min(calls, static_cast<double>(windows.largest)));
  window_ = std::min(window_, std::max(windows.in_doubt, least));
}

std::uint64_t SignatureTuner::digest() const {
  base::Digest digest;
  digest.add(rules_.max_relative_error);
  for (const Candidate& candidate : candidates_) {
    for (const double number : {candidate.best_seconds, candidate.relative_error, candidate.maximum_error}) {
      digest.add(number);
    }
    digest.add((candidate.banned ? 1U : 0U) + (candidate.given_up ? std::uint64_t{2} : 0U));
  }
  digest.add(best_native_seconds_);
  digest.add(static_cast<std::uint64_t>(statistic()));
  for (const double seconds : native_times_.all()) digest.add(seconds);
  for (const int number : {native_calls_, measured_calls_, decided_ ? 1 : 0, choice_, rival_, doubted_ ? 1 : 0}) {
    digest.add(static_cast<std::uint64_t>(number));
  }
  digest.add(window_);
  digest.add(calls_since_measurement_);
  return digest.value();
}

double SignatureTuner::native_seconds() const { return best_native_seconds_; }

double SignatureTuner::candidate_seconds(std::size_t candidate) const { return candidates_[candidate].best_seconds; }

double SignatureTuner::speedup(std::size_t candidate) const {
  return best_native_seconds_ / candidates_[candidate].best_seconds;
}

double SignatureTuner::relative_error(std::size_t candidate) const {
  return measured_calls_ > 0 ? candidates_[candidate].relative_error : not_measured();
}

double SignatureTuner::maximum_error(std::size_t candidate) const {
  return measured_calls_ > 0 ? candidates_[candidate].maximum_error : not_measured();
}

Explanation SignatureTuner::why() const {
  if (!decided_) return {.reason = Reason::measuring};
  if (choice_ != native_choice) {
    return {.reason = Reason::fastest, .measured = speedup(static_cast<std::size_t>(choice_))};
  }
  const Candidate* given_up = nullptr;
  double smallest_error = std::numeric_limits<double>::infinity();
  bool any_allowed = false;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (candidates_[i].given_up) {
      given_up = &candidates_[i];
    } else if (candidates_[i].banned) {
      smallest_error = std::fmin(smallest_error, candidates_[i].relative_error);
    } else {
      any_allowed = true;
    }
  }
  if (any_allowed && std::isnan(dismissed_speedup_)) return {.reason = Reason::not_measurable};
  if (any_allowed) return {.reason = Reason::too_slow, .measured = dismissed_speedup_, .bound = dismissal_threshold_};
  if (given_up != nullptr) return {.reason = Reason::given_up, .detail = given_up->why_given_up};
  return {.reason = Reason::error_above_bound, .measured = smallest_error, .bound = rules_.max_relative_error};
}

}  // namespace airamp::tuner
