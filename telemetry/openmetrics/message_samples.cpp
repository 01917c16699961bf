// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string_view>

#include "telemetry/openmetrics/job_samples.hpp"

namespace airamp::telemetry {

void add_message_samples(const JobOnHost& job, Detail detail, SampleSet& samples) {
  if (std::ranges::none_of(job.ranks, &RankSnapshot::times_messages)) return;
  double together = 0;
  std::map<std::string_view, double> by_function;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::MessageTime& time : rank->message_times) {
      together += time.seconds;
      by_function[time.function] += time.seconds;
    }
  }
  if (detail == Detail::job) {
    samples.add(Metric::message_seconds, job_labels(job), together);
    return;
  }
  for (const auto& [function, seconds] : by_function) {
    samples.add(Metric::message_seconds, job_labels(job).add("function", function), seconds);
  }
}

}  // namespace airamp::telemetry
