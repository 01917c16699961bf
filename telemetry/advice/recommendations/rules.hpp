// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "telemetry/advice/run_figures.hpp"

// The rules that recommendations come from, by kind of advice. Each looks at the figures of a report alone, and returns
// what may be set otherwise, or nothing. May throw std::bad_alloc.
namespace airamp::telemetry {

/// A part of the run from which on it is worth somebody's while to change a setting.
inline constexpr double worth_a_setting = 0.02;
/// What a rule says of the effect where the tuner has the last word.
inline constexpr std::string_view decided_by_measuring =
    "AIRamp measures it and keeps the native way where that is as fast";

/// The native time of all kinds of calls that a condition holds for, as a part of the run.
template <class Condition>
double share_of(const RunFigures& run, Condition condition) {
  double seconds = 0;
  for (const KindTime& kind : run.kinds) {
    if (condition(*kind.signature)) seconds += kind.native_seconds;
  }
  return run.share(seconds);
}

/// "12.0 % of the time was spent in MPI_Allreduce of large FP32 vectors, in a job on several hosts".
std::string time_spent(const RunFigures& run, double share, std::string_view what);

// What only tests or a look at the figures want, and whether AIRamp is worth it (use.cpp).
std::optional<Recommendation> impose_nothing(const RunFigures& run);
std::optional<Recommendation> time_collectives(const RunFigures& run);
std::optional<Recommendation> ask_first(const RunFigures& run);
std::optional<Recommendation> leave_off(const RunFigures& run);

// Fewer bytes for a bounded error (compression.cpp).
std::optional<Recommendation> compress_allreduce(const RunFigures& run);
std::optional<Recommendation> compress_allgather(const RunFigures& run);
std::optional<Recommendation> compress_float32(const RunFigures& run);
std::optional<Recommendation> compress_shorter(const RunFigures& run);
std::optional<Recommendation> allow_larger_error(const RunFigures& run);

// The order of sums (sum_order.cpp).
std::optional<Recommendation> any_order(const RunFigures& run);
std::optional<Recommendation> native_order(const RunFigures& run);

// Memory and processors of the hosts (hosts.cpp).
std::optional<Recommendation> use_shared_memory(const RunFigures& run);
std::optional<Recommendation> more_host_scratch(const RunFigures& run);
std::optional<Recommendation> fewer_ranks(const RunFigures& run);

}  // namespace airamp::telemetry
