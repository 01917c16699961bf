// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pola/stream.hpp"
#include "pola/trace_file.hpp"

namespace airamp::pola {

struct ReplayOptions {
  Stream::Rules rules;
  bool baselines = false;
  std::optional<std::uint32_t> communicator;  ///< this one alone
};

/// How often a method predicted, and how often it was right.
struct Score {
  std::string_view method;
  std::uint64_t right = 0;
  std::uint64_t predicted = 0;

  void count(bool was_right) {
    ++predicted;
    if (was_right) ++right;
  }
};

/// A call of a trace, and what was known just before it.
struct ReplayedCall {
  TraceEvent event;
  Signature signature = 0;
  Stream::State state = Stream::State::learning;  ///< before the call
  std::optional<Signature> expected;
  std::optional<std::int64_t> expected_ns;  ///< when it was expected, on the clock of the trace
};

/// The call, counted from 1, after which the state of a stream became another, and when that call ended.
struct StateChange {
  std::uint64_t event = 0;
  std::int64_t time_ns = 0;
  Stream::State state = Stream::State::learning;
  std::size_t period = 0;
};

struct CommunicatorReplay {
  std::uint32_t number = 0;
  TraceCommunicator communicator;
  Stream::Counters counters;
  std::size_t signatures = 0;  ///< different ones
  std::size_t period = 0;      ///< the period that held for most calls; 0 if most were in none
  std::vector<StateChange> changes;
  std::vector<Score> baselines;
  std::int64_t median_lateness_ns = 0;  ///< of the calls that came while locked and as expected: distance from forecast
  std::vector<ReplayedCall> calls;      ///< empty unless asked for
};

struct TraceReplay {
  std::string path;
  TraceHeader header;
  std::int64_t duration_ns = 0;
  std::vector<CommunicatorReplay> communicators;  ///< those with calls
};

/// What a trace's communicators come to together.
struct ReplayTotals {
  std::uint64_t events = 0;
  std::uint64_t short_events = 0;  ///< on communicators with fewer calls than a lock takes
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t locks = 0;
  std::uint64_t breaks = 0;
  std::vector<Score> baselines;

  /// Share of right predictions while locked, 0 to 1; none if never locked.
  std::optional<double> accuracy() const;

  /// Share of calls that came while locked, 0 to 1.
  double coverage() const;
};

ReplayTotals totals(const TraceReplay& replay, const ReplayOptions& options);

/// Runs the engine over the trace of one rank. Throws TraceError, also if it lacks the communicator that is asked for.
/// `keep_calls`: fill CommunicatorReplay::calls.
TraceReplay replay(const std::string& path, const ReplayOptions& options, bool keep_calls);

}  // namespace airamp::pola
