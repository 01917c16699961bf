// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/advice.hpp"

#include <array>

#include "telemetry/advice/findings.hpp"
#include "telemetry/advice/recommendations.hpp"
#include "telemetry/advice/verdict.hpp"

namespace airamp::telemetry {
namespace {

// in the order of the enumerators
constexpr std::array<std::string_view, 15> verdict_names = {
    "",          "off",     "failed",  "no_collectives", "saved",       "crowded", "cost", "not_timed", "little_time",
    "undecided", "waiting", "setting", "native_as_fast", "not_carried", "even"};
static_assert(verdict_names.size() == static_cast<std::size_t>(VerdictKind::even) + 1);

constexpr std::array<std::string_view, 14> recommendation_names = {
    "leave_off",          "impose_nothing",    "time_collectives", "use_shared_memory",  "compress_allreduce",
    "compress_allgather", "compress_float32",  "compress_shorter", "allow_larger_error", "any_order",
    "native_order",       "more_host_scratch", "ask_first",        "fewer_ranks"};
static_assert(recommendation_names.size() == static_cast<std::size_t>(RecommendationKind::fewer_ranks) + 1);

constexpr std::array<std::string_view, 4> finding_names = {"waits_for_rank", "late_rank", "close_calls", "messages"};
static_assert(finding_names.size() == static_cast<std::size_t>(FindingKind::messages) + 1);

}  // namespace

Advice advise(const Report& report) {
  const RunFigures run = figures_of(report);
  Advice advice{.recommendations = recommendations_of(run), .findings = findings_of(run)};
  advice.verdict = verdict_of(run, advice.recommendations);
  return advice;
}

std::string_view name_of(VerdictKind kind) noexcept { return verdict_names[static_cast<std::size_t>(kind)]; }

std::string_view name_of(RecommendationKind kind) noexcept {
  return recommendation_names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(FindingKind kind) noexcept { return finding_names[static_cast<std::size_t>(kind)]; }

void Recommendation::set(std::vector<std::pair<std::string, std::string>> values) {
  for (const auto& [key, value] : values) {
    std::string variable = "AIRAMP_";
    for (const char letter : key)
      variable += static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    action += (action.empty() ? "" : " ") + variable + "=" + value;
  }
  settings = std::move(values);
}

}  // namespace airamp::telemetry
