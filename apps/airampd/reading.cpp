// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/reading.hpp"

#include <fmt/format.h>
#include <linux/capability.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "apps/airampd/job_ends.hpp"
#include "apps/airampd/user_names.hpp"
#include "base/find_line.hpp"
#include "telemetry/diagnosis/jobs_on_host.hpp"
#include "telemetry/segment/clean_dead_segments.hpp"
#include "telemetry/segment/segment_reader.hpp"

namespace airamp::sidecar {
namespace {

using telemetry::RankSnapshot;

template <typename Element>
void append(std::vector<Element>& all, std::vector<Element> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool can_be_read(const std::string& folder) { return ::access(folder.c_str(), R_OK | X_OK) == 0; }

/// What jobs have left that ended a while ago would be listed until the next job begins.
void clean_now_and_then(const std::string& folder, uid_t user) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point next;
  if (Clock::now() < next) return;
  telemetry::clean_dead_segments(folder, user);
  next = Clock::now() + std::chrono::minutes(1);
}

/// Leaves out the ranks of jobs above max_jobs_of_user.
void limit_jobs(Reading& reading) {
  std::map<std::string, std::size_t> counts;
  std::set<std::pair<std::string, std::string>> left_out;
  for (const telemetry::JobOnHost& job : telemetry::jobs_on_host(reading.ranks)) {
    if (++counts[job.owner] > max_jobs_of_user) left_out.emplace(job.owner, job.name);
  }
  for (const auto& [user, count] : counts) {
    if (count <= max_jobs_of_user) continue;
    reading.errors.push_back(fmt::format("jobs of {} above {}", user, max_jobs_of_user));
  }
  std::erase_if(reading.ranks, [&](const RankSnapshot& rank) { return left_out.contains({rank.owner, rank.job}); });
}

Reading read_user(const std::string& folder, uid_t user, const std::string& name, std::size_t bytes) {
  telemetry::ReadingBudget budget{.names = max_names_of_user, .bytes = bytes};
  Reading reading;
  telemetry::JobList list = telemetry::list_jobs(folder, user, budget);
  append(reading.errors, std::move(list.errors));
  for (const std::string& job : list.jobs) {
    telemetry::JobSnapshot snapshot = telemetry::read_job(folder, job, user, budget);
    append(reading.errors, std::move(snapshot.errors));
    for (RankSnapshot& rank : snapshot.ranks) {
      rank.owner = name;
      reading.ranks.push_back(std::move(rank));
    }
  }
  return reading;
}

}  // namespace

ReadJobs read_segments(std::string folder, std::string job, uid_t user) {
  return [folder = std::move(folder), job = std::move(job), user, ends = JobEnds()]() mutable {
    Reading reading;
    clean_now_and_then(folder, user);
    reading.folder_read = can_be_read(folder);
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
      append(reading.ranks, std::move(snapshot.ranks));
    }
    ends.remove_ended(reading.ranks);
    return reading;
  };
}

ReadJobs read_segments_of_all(std::string folder) {
  return [folder = std::move(folder), ends = JobEnds(), names = UserNames()]() mutable {
    Reading reading;
    reading.folder_read = can_be_read(folder);
    telemetry::UserList list = telemetry::list_users(folder);
    append(reading.errors, std::move(list.errors));
    for (const uid_t user : list.users) {
      Reading own =
          read_user(folder, user, names.name_of(user), max_bytes / std::max<std::size_t>(list.users.size(), 4));
      append(reading.ranks, std::move(own.ranks));
      append(reading.errors, std::move(own.errors));
    }
    ends.remove_ended(reading.ranks);
    limit_jobs(reading);
    return reading;
  };
}

bool may_read_files_of_all() {
  std::uint64_t effective = 0;
  base::find_line("/proc/self/status", [&](const char* line) {
    constexpr std::string_view label = "CapEff:";
    if (!std::string_view(line).starts_with(label)) return false;
    effective = std::strtoull(line + label.size(), nullptr, 16);
    return true;
  });
  return (effective & (1ULL << CAP_DAC_READ_SEARCH | 1ULL << CAP_DAC_OVERRIDE)) != 0;
}

}  // namespace airamp::sidecar
