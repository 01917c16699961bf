// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/scrape.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "telemetry/openmetrics/job_samples.hpp"

namespace airamp::telemetry {
namespace {

void add_exporter_samples(const ExporterFigures& exporter, SampleSet& samples) {
  samples.add(Metric::up, {}, std::uint64_t{exporter.up});
  samples.add(Metric::segment_errors, {}, exporter.segment_errors);
  samples.add(Metric::read_duration, {}, exporter.read_seconds);
  for (const auto& [code, count] : exporter.http_requests) {
    samples.add(Metric::http_requests, {{"code", fmt::format_int(code).c_str()}}, count);
  }
  if (exporter.http_connections) samples.add(Metric::http_connections, {}, *exporter.http_connections);
}

}  // namespace

SampleSet scrape(std::span<const RankSnapshot> ranks, const ExporterFigures& exporter, Detail detail) {
  SampleSet samples;
  for (const JobOnHost& job : jobs_on_host(ranks)) {
    add_job_samples(job, detail, samples);
    add_rank_samples(job, detail, samples);
    std::size_t omitted = add_traffic_samples(job, detail, samples);
    add_message_samples(job, detail, samples);
    omitted += add_decision_samples(job, detail, samples);
    omitted += add_pola_samples(job, detail, samples);
    samples.add(Metric::label_sets_omitted, job_labels(job), std::uint64_t{omitted});
  }
  add_exporter_samples(exporter, samples);
  return samples;
}

}  // namespace airamp::telemetry
