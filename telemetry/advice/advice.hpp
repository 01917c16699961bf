// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airamp::telemetry {

struct Report;

/// What AIRamp was worth in a run.
enum class VerdictKind : std::uint8_t {
  none,  ///< nothing is said
  off,
  failed,          ///< the communication of some path of AIRamp's
  no_collectives,  ///< none was called
  saved,           ///< by estimate
  crowded,         ///< there were fewer processors than ranks
  cost,            ///< by estimate
  not_timed,       ///< telemetry was off
  little_time,     ///< was spent in collectives
  undecided,       ///< the run ended too early
  waiting,         ///< for late ranks is most of the time in collectives
  setting,         ///< another setting may gain
  native_as_fast,  ///< measured
  not_carried,     ///< AIRamp has no way for what takes the time
  even             ///< it carried calls and changed little
};

struct Verdict {
  VerdictKind kind = VerdictKind::none;
  std::string text;  ///< one sentence
};

/// What may be set, or done, otherwise in the next run.
enum class RecommendationKind : std::uint8_t {
  leave_off,
  impose_nothing,
  time_collectives,
  use_shared_memory,
  compress_allreduce,
  compress_allgather,
  compress_float32,
  compress_shorter,
  allow_larger_error,
  any_order,
  native_order,
  more_host_scratch,
  ask_first,
  fewer_ranks
};

struct Recommendation {
  RecommendationKind kind{};
  double share = std::nan("");                                ///< of the run: what it is about; NaN if not a time
  std::vector<std::pair<std::string, std::string>> settings;  ///< key and value; empty if nothing can be set
  std::string action;  ///< "AIRAMP_ENABLE_SHARED_MEMORY=1", or what to do where nothing can be set
  std::string why;     ///< what was seen in the run
  std::string effect;  ///< what to expect of it
  std::string cost;    ///< empty: nothing

  /// Both settings and action, of values of settings: {"min_bytes", "64K"}.
  void set(std::vector<std::pair<std::string, std::string>> values);
};

/// What was seen in a run beyond what AIRamp can change.
enum class FindingKind : std::uint8_t { waits_for_rank, late_rank, close_calls, messages };

struct Finding {
  FindingKind kind{};
  double share = std::nan("");  ///< of the run: what it is about
  std::string text;
};

/// What a report says to somebody who wants to know what to do. Made of the report's own figures.
struct Advice {
  Verdict verdict;
  std::vector<Recommendation> recommendations;  ///< what matters most first
  std::vector<Finding> findings;                ///< the same
};

/// Looks at all figures of a report but its advice. May throw std::bad_alloc.
Advice advise(const Report& report);

/// Names for programs, in lower case with underscores: those of the enumerators.
std::string_view name_of(VerdictKind kind) noexcept;
std::string_view name_of(RecommendationKind kind) noexcept;
std::string_view name_of(FindingKind kind) noexcept;

}  // namespace airamp::telemetry
