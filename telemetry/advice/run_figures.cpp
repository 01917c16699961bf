// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/run_figures.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace airamp::telemetry {
namespace {

using FunctionAndSize = std::pair<std::string, std::uint64_t>;

std::uint64_t native_calls(const Report::Signature& signature) {
  return signature.calls - std::min(signature.calls, signature.accelerated_calls);
}

std::vector<KindTime> times_of_kinds(const Report& report) {
  std::map<FunctionAndSize, double> seconds;
  for (const Report::Traffic& row : report.traffic) {
    if (row.path == "native" && row.seconds > 0) seconds[{plain_name(row.function), row.size}] += row.seconds;
  }
  std::map<FunctionAndSize, std::uint64_t> calls;
  for (const Report::Signature& s : report.signatures) calls[{plain_name(s.function), s.size}] += native_calls(s);
  std::vector<KindTime> kinds;
  for (const Report::Signature& s : report.signatures) {
    const FunctionAndSize key{plain_name(s.function), s.size};
    const auto own = static_cast<double>(native_calls(s));
    const auto all = static_cast<double>(calls[key]);
    kinds.push_back({.signature = &s, .native_seconds = all > 0 ? seconds[key] * own / all : 0});
  }
  return kinds;
}

void add_ranks(RunFigures& figures) {
  const std::vector<Report::Rank>& ranks = figures.report.rank_costs;
  if (ranks.size() < 2) return;
  double collectives = 0;
  double messages = 0;
  for (const Report::Rank& rank : ranks) {
    collectives += rank.collective_seconds;
    messages += rank.message_seconds;
  }
  const auto count = static_cast<double>(ranks.size());
  figures.collective_share = figures.share(collectives / count);
  figures.message_share = figures.share(messages / count);
  const auto least = std::ranges::min_element(ranks, {}, &Report::Rank::collective_seconds);
  figures.least_share = figures.share(least->collective_seconds);
  figures.least_rank = static_cast<std::size_t>(least - ranks.begin());
}

void add_hosts(RunFigures& figures) {
  figures.hosts = std::max(1, static_cast<int>(figures.report.hosts.size()));
  for (const Report::Host& host : figures.report.hosts) {
    figures.ranks_on_host = std::max(figures.ranks_on_host, host.ranks);
  }
  const int emulated = std::atoi(figures.setting("ranks_per_host").c_str());
  if (emulated <= 0) return;
  figures.hosts = std::max(figures.hosts, (figures.report.ranks + emulated - 1) / emulated);
  figures.ranks_on_host = std::min(figures.ranks_on_host, emulated);
}

}  // namespace

std::string plain_name(std::string function) {
  if (function.ends_with("_c")) function.resize(function.size() - 2);
  return function;
}

std::string RunFigures::setting(const std::string& key) const {
  const auto found = report.settings.find(key);
  return found == report.settings.end() ? std::string() : found->second;
}

const Report::Host* RunFigures::crowded_host() const {
  const auto ranks_of_a_processor = [](const Report::Host& host) {
    return host.processors == 0 ? 0.0 : static_cast<double>(host.ranks) / host.processors;
  };
  const auto most = std::ranges::max_element(report.hosts, {}, ranks_of_a_processor);
  return most != report.hosts.end() && ranks_of_a_processor(*most) > 1 ? &*most : nullptr;
}

RunFigures figures_of(const Report& report) {
  RunFigures figures{.report = report,
                     .gain = gain_of(report.signatures, report.traffic, report.tuning_seconds),
                     .kinds = times_of_kinds(report)};
  double seconds = 0;
  for (const Report::Traffic& row : report.traffic) {
    figures.collective_calls += row.calls;
    if (row.seconds > 0) seconds += row.seconds;
    if (row.size > 0) figures.size_limit = std::max(figures.size_limit, 2 * row.size);
  }
  if (figures.timed() && report.run_seconds > 0) {
    figures.own_share = figures.share(seconds);
    figures.collective_share = figures.own_share;
  }
  if (report.run_seconds > 0) add_ranks(figures);
  if (report.run_seconds > 0 && figures.gain.estimated_calls > 0) {
    figures.net_share = figures.share(figures.gain.net_seconds());
  }
  add_hosts(figures);
  return figures;
}

}  // namespace airamp::telemetry
