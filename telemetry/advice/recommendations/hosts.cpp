// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>

#include "base/quantity_text.hpp"
#include "telemetry/advice/recommendations/rules.hpp"

namespace airamp::telemetry {

std::optional<Recommendation> use_shared_memory(const RunFigures& run) {
  const bool shared = run.ranks_on_host > 1 && run.setting("enable_shared_memory") == "false";
  if (!shared || !(run.collective_share >= worth_a_setting)) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::use_shared_memory,
      .share = run.collective_share,
      .why =
          fmt::format("{}, and AIRAMP_ENABLE_SHARED_MEMORY=0 keeps them from the memory that the ranks of a host share",
                      time_spent(run, run.collective_share, "collectives")),
      .effect = fmt::format("the same bits, sooner; {}", decided_by_measuring)};
  advice.set({{"enable_shared_memory", "true"}});
  return advice;
}

std::optional<Recommendation> more_host_scratch(const RunFigures& run) {
  const double share = share_of(run, [](const Report::Signature& s) { return s.reason == Reason::not_measurable; });
  if (!(share >= worth_a_setting)) return std::nullopt;
  Recommendation advice{.kind = RecommendationKind::more_host_scratch,
                        .share = share,
                        .why = time_spent(run, share, "calls for which there was no memory to measure AIRamp's way"),
                        .effect = "they are measured, if it was this limit and not the host's memory",
                        .cost = "that much memory of each rank"};
  advice.set({{"host_scratch", "1G"}});
  return advice;
}

std::optional<Recommendation> fewer_ranks(const RunFigures& run) {
  const Report::Host* const host = run.crowded_host();
  if (host == nullptr) return std::nullopt;
  const auto processors = static_cast<std::uint64_t>(host->processors);
  return Recommendation{.kind = RecommendationKind::fewer_ranks,
                        .action = fmt::format("start at most {} on host {}, or bind them to more processors",
                                              base::counted(processors, "rank", "ranks"), host->name),
                        .why = fmt::format("{} ranks shared {} of host {}", host->ranks,
                                           base::counted(processors, "processor", "processors"), host->name),
                        .effect = "a rank that waits holds no processor that the others need",
                        .cost = {}};
}

}  // namespace airamp::telemetry
