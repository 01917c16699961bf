// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/reading.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <iterator>
#include <utility>

#include "telemetry/segment/clean_dead_segments.hpp"
#include "telemetry/segment/segment_reader.hpp"

namespace airamp::sidecar {
namespace {

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What jobs have left that ended a while ago would be listed until the next job begins.
void clean_now_and_then(const std::string& folder, uid_t user) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point next;
  if (Clock::now() < next) return;
  telemetry::clean_dead_segments(folder, user);
  next = Clock::now() + std::chrono::minutes(1);
}

}  // namespace

ReadJobs read_segments(std::string folder, std::string job, uid_t user) {
  return [folder = std::move(folder), job = std::move(job), user] {
    Reading reading;
    clean_now_and_then(folder, user);
    reading.folder_read = ::access(folder.c_str(), R_OK | X_OK) == 0;
    std::vector<std::string> jobs{job};
    if (job.empty()) {
      telemetry::JobList list = telemetry::list_jobs(folder, user);
      append(reading.errors, std::move(list.errors));
      jobs = std::move(list.jobs);
    }
    for (const std::string& name : jobs) {
      if (reading.ranks.size() >= max_ranks) {
        reading.errors.push_back(fmt::format("{}: more than {} ranks; this job is left out", name, max_ranks));
        continue;
      }
      telemetry::JobSnapshot snapshot = telemetry::read_job(folder, name, user);
      append(reading.errors, std::move(snapshot.errors));
      for (telemetry::RankSnapshot& rank : snapshot.ranks) reading.ranks.push_back(std::move(rank));
    }
    return reading;
  };
}

}  // namespace airamp::sidecar
