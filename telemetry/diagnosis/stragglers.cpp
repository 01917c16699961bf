// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/stragglers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "telemetry/segment/quantile.hpp"

namespace airamp::telemetry {
namespace {

using Call = std::pair<std::string, std::uint64_t>;
using Histogram = std::array<std::uint64_t, latency_buckets>;

/// Function and size of the calls that took the job most time.
Call costliest_call(const std::vector<RankSnapshot>& ranks) {
  std::map<Call, double> seconds;
  for (const RankSnapshot& rank : ranks) {
    for (const RankSnapshot::Traffic& traffic : rank.traffic) {
      seconds[{traffic.function, traffic.size}] += traffic.seconds;
    }
  }
  const auto most = std::max_element(seconds.begin(), seconds.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == seconds.end() ? Call{} : most->first;
}

Histogram histogram_of(const RankSnapshot& rank, const Call& call) {
  Histogram sum{};
  for (const RankSnapshot::Traffic& traffic : rank.traffic) {
    if (traffic.function != call.first || traffic.size != call.second) continue;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += traffic.histogram[i];
  }
  return sum;
}

double median_waiting(const std::vector<Stragglers::Rank>& ranks) {
  if (ranks.empty()) return 0;
  std::vector<double> waits;
  waits.reserve(ranks.size());
  for (const Stragglers::Rank& rank : ranks) waits.push_back(rank.waiting_seconds);
  const auto middle = waits.begin() + static_cast<std::ptrdiff_t>(waits.size() / 2);
  std::nth_element(waits.begin(), middle, waits.end());
  return *middle;
}

}  // namespace

Stragglers find_stragglers(const std::vector<RankSnapshot>& ranks) {
  Stragglers result;
  const Call call = costliest_call(ranks);
  std::tie(result.function, result.size) = call;
  double lateness = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    Stragglers::Rank rank{.index = i};
    for (const RankSnapshot::Communicator& communicator : ranks[i].communicators) {
      rank.lateness_seconds += communicator.lateness_seconds;
      rank.waiting_seconds += communicator.waiting_seconds;
    }
    const Histogram histogram = histogram_of(ranks[i], call);
    rank.median = quantile(histogram, 0.5);
    rank.p99 = quantile(histogram, 0.99);
    rank.p999 = quantile(histogram, 0.999);
    lateness += rank.lateness_seconds;
    result.ranks.push_back(rank);
  }
  result.median_waiting_seconds = median_waiting(result.ranks);
  for (Stragglers::Rank& rank : result.ranks) {
    rank.cost_seconds =
        lateness > 0 ? rank.lateness_seconds : std::max(0.0, result.median_waiting_seconds - rank.waiting_seconds);
  }
  std::stable_sort(result.ranks.begin(), result.ranks.end(), [](const Stragglers::Rank& a, const Stragglers::Rank& b) {
    return a.cost_seconds > b.cost_seconds;
  });
  return result;
}

}  // namespace airamp::telemetry
