// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/scrape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "telemetry/openmetrics/job_samples.hpp"

namespace airamp::telemetry {
namespace {

std::vector<JobOnHost> jobs_of(std::span<const RankSnapshot> ranks) {
  std::map<std::string, JobOnHost> jobs;
  for (const RankSnapshot& rank : ranks) {
    JobOnHost& job = jobs[rank.job];
    job.name = rank.job;
    job.ranks.push_back(&rank);
  }
  std::vector<JobOnHost> list;
  for (auto& [name, job] : jobs) {
    // Two segments that claim one rank would give series twice, which spoils the whole scrape: a living process comes
    // before one that left its segment behind.
    std::sort(job.ranks.begin(), job.ranks.end(), [](const RankSnapshot* a, const RankSnapshot* b) {
      return std::tuple(a->rank, !a->runs(), a->process) < std::tuple(b->rank, !b->runs(), b->process);
    });
    const auto same = [](const RankSnapshot* a, const RankSnapshot* b) { return a->rank == b->rank; };
    job.ranks.erase(std::unique(job.ranks.begin(), job.ranks.end(), same), job.ranks.end());
    list.push_back(std::move(job));
  }
  return list;
}

void add_exporter_samples(const ExporterFigures& exporter, SampleSet& samples) {
  samples.add(Metric::up, {}, std::uint64_t{exporter.up});
  samples.add(Metric::segment_errors, {}, exporter.segment_errors);
  samples.add(Metric::read_duration, {}, exporter.read_seconds);
  for (const auto& [code, count] : exporter.http_requests) {
    samples.add(Metric::http_requests, {{"code", fmt::format_int(code).c_str()}}, count);
  }
  samples.add(Metric::http_connections, {}, exporter.http_connections);
}

}  // namespace

SampleSet scrape(std::span<const RankSnapshot> ranks, const ExporterFigures& exporter) {
  SampleSet samples;
  for (const JobOnHost& job : jobs_of(ranks)) {
    add_rank_samples(job, samples);
    std::size_t omitted = add_traffic_samples(job, samples);
    omitted += add_decision_samples(job, samples);
    omitted += add_pola_samples(job, samples);
    samples.add(Metric::label_sets_omitted, {{"mpi_job", job.name}}, std::uint64_t{omitted});
  }
  add_exporter_samples(exporter, samples);
  return samples;
}

}  // namespace airamp::telemetry
