// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/recommendations.hpp"

#include <array>
#include <optional>
#include <utility>

#include "telemetry/advice/recommendations/rules.hpp"

namespace airamp::telemetry {
namespace {

using Rule = std::optional<Recommendation> (*)(const RunFigures&);

constexpr std::array<Rule, 14> rules = {impose_nothing,     use_shared_memory, compress_allreduce, compress_allgather,
                                        any_order,          native_order,      compress_float32,   compress_shorter,
                                        allow_larger_error, more_host_scratch, ask_first,          time_collectives,
                                        fewer_ranks,        leave_off};

}  // namespace

std::vector<Recommendation> recommendations_of(const RunFigures& run) {
  std::vector<Recommendation> found;
  for (const Rule rule : rules) {
    if (std::optional<Recommendation> advice = rule(run)) found.push_back(std::move(*advice));
  }
  return found;
}

}  // namespace airamp::telemetry
