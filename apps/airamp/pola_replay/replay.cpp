// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_replay/replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "apps/airamp/pola_baselines/baseline.hpp"
#include "pola/arrival.hpp"
#include "pola/trace_reader.hpp"

namespace airamp::pola {
namespace {

/// One communicator in the course of a replay.
class CommunicatorRun {
 public:
  CommunicatorRun(std::uint32_t number, const ReplayOptions& options, bool keep_calls)
      : keep_calls_(keep_calls), stream_(options.rules) {
    result_.number = number;
    if (!options.baselines) return;
    baselines_ = make_baselines();
    for (const auto& baseline : baselines_) result_.baselines.push_back({.method = baseline->name()});
  }

  void observe(const TraceEvent& event) {
    const Signature signature = signature_of(event);
    signatures_.insert(signature);
    const Stream::State before = stream_.state();
    const bool foreseen = before == Stream::State::locked && stream_.expected() == signature;
    if (keep_calls_) {
      result_.calls.push_back({.event = event,
                               .signature = signature,
                               .state = before,
                               .expected = stream_.expected(),
                               .expected_ns = forecast_.expected_ns()});
    }
    for (std::size_t i = 0; i < baselines_.size(); ++i) {
      if (const auto expected = baselines_[i]->expected()) result_.baselines[i].count(*expected == signature);
      baselines_[i]->observe(signature);
    }
    stream_.observe(signature);
    forecast_.observe(stream_.place(), event.entered_ns, event.left_ns);
    if (const auto lateness = forecast_.lateness_ns(); lateness && foreseen) latenesses_.push_back(std::abs(*lateness));
    ++periods_[stream_.period()];
    if (stream_.state() != before) {
      result_.changes.push_back({.event = stream_.counters().events,
                                 .time_ns = event.left_ns,
                                 .state = stream_.state(),
                                 .period = stream_.period()});
    }
  }

  CommunicatorReplay finish(const TraceCommunicator& communicator) {
    result_.communicator = communicator;
    result_.counters = stream_.counters();
    result_.signatures = signatures_.size();
    const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
    result_.period = std::max_element(periods_.begin(), periods_.end(), more)->first;
    if (!latenesses_.empty()) {
      const auto middle = latenesses_.begin() + static_cast<std::ptrdiff_t>(latenesses_.size() / 2);
      std::nth_element(latenesses_.begin(), middle, latenesses_.end());
      result_.median_lateness_ns = *middle;
    }
    return std::move(result_);
  }

 private:
  bool keep_calls_;
  Stream stream_;
  ArrivalForecast forecast_;
  std::vector<std::unique_ptr<Baseline>> baselines_;
  std::set<Signature> signatures_;
  std::map<std::size_t, std::uint64_t> periods_;  ///< calls, by period
  std::vector<std::int64_t> latenesses_;
  CommunicatorReplay result_;
};

}  // namespace

std::optional<double> ReplayTotals::accuracy() const {
  if (hits + misses == 0) return std::nullopt;
  return static_cast<double>(hits) / static_cast<double>(hits + misses);
}

double ReplayTotals::coverage() const {
  return events == 0 ? 0.0 : static_cast<double>(hits + misses) / static_cast<double>(events);
}

ReplayTotals totals(const TraceReplay& replay, const ReplayOptions& options) {
  ReplayTotals sum;
  for (const CommunicatorReplay& one : replay.communicators) {
    const Stream::Counters& counters = one.counters;
    sum.events += counters.events;
    if (counters.events < options.rules.lock_events) sum.short_events += counters.events;
    sum.hits += counters.hits;
    sum.misses += counters.misses;
    sum.locks += counters.locks;
    sum.breaks += counters.breaks;
    if (sum.baselines.empty()) {
      for (const Score& score : one.baselines) sum.baselines.push_back({.method = score.method});
    }
    for (std::size_t i = 0; i < one.baselines.size(); ++i) {
      sum.baselines[i].right += one.baselines[i].right;
      sum.baselines[i].predicted += one.baselines[i].predicted;
    }
  }
  return sum;
}

TraceReplay replay(const std::string& path, const ReplayOptions& options, bool keep_calls) {
  TraceReader reader(path);
  TraceReplay result{.path = path, .header = reader.header()};
  std::map<std::uint32_t, CommunicatorRun> runs;
  for (TraceEvent event; reader.next(event);) {
    result.duration_ns = std::max(result.duration_ns, event.left_ns);
    if (options.communicator && event.communicator != *options.communicator) continue;
    const auto run = runs.try_emplace(event.communicator, event.communicator, options, keep_calls).first;
    run->second.observe(event);
  }
  if (options.communicator && runs.empty()) {
    const std::size_t count = reader.communicators().size();
    throw TraceError(path + ": has no communicator " + std::to_string(*options.communicator) + "; it has " +
                     std::to_string(count) + (count == 1 ? " communicator" : " communicators") + ", numbered from 0");
  }
  for (auto& [number, run] : runs) result.communicators.push_back(run.finish(reader.communicators()[number]));
  return result;
}

}  // namespace airamp::pola
