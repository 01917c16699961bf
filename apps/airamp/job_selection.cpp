// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/job_selection.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "config/load.hpp"
#include "telemetry/diagnosis/last_sign.hpp"
#include "telemetry/diagnosis/process_evidence.hpp"

namespace airamp::command_line {
namespace {

bool runs(const JobSelection::Job& job) {
  return std::any_of(job.snapshot.ranks.begin(), job.snapshot.ranks.end(),
                     [](const telemetry::RankSnapshot& rank) { return rank.runs(); });
}

}  // namespace

JobSelection::JobSelection(CLI::App& command, const std::string& without_name) : user_(geteuid()) {
  command.add_option("--job", job_, "Name of the job; without it, " + without_name);
  command.add_option("--folder", folder_, "Where the ranks publish; without it, the setting telemetry_folder");
  command.add_option("--uid", user_, "Number of the user whose jobs they are; only root can read those of others");
}

std::string JobSelection::folder() const {
  return folder_.empty() ? config::load(config::process_environment()).settings.telemetry_folder : folder_;
}

std::vector<JobSelection::Job> JobSelection::read(std::string& why_none) const {
  const std::string where = folder();
  telemetry::JobList list;
  if (job_.empty()) {
    list = telemetry::list_jobs(where, user_);
  } else {
    list.jobs.push_back(job_);
  }
  std::vector<Job> jobs;
  for (const std::string& name : list.jobs) {
    Job job{.name = name, .snapshot = telemetry::read_job(where, name, user_)};
    if (!job.snapshot.ranks.empty()) {
      telemetry::look_at_processes(job.snapshot.ranks);
      jobs.push_back(std::move(job));
    } else {
      list.errors.insert(list.errors.end(), job.snapshot.errors.begin(), job.snapshot.errors.end());
    }
  }
  if (jobs.empty()) {
    const std::string whose = user_ == geteuid() ? "of yours" : "of user " + std::to_string(user_);
    why_none =
        job_.empty() ? "no job " + whose + " publishes in " + where : "no job " + job_ + " " + whose + " in " + where;
    for (const std::string& error : list.errors) why_none += "\n" + error;
    return jobs;
  }
  if (!job_.empty()) return jobs;
  const auto dead = std::stable_partition(jobs.begin(), jobs.end(), runs);
  if (dead != jobs.begin()) {
    jobs.erase(dead, jobs.end());
    return jobs;
  }
  const auto last = std::max_element(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
    return telemetry::last_sign(a.snapshot.ranks) < telemetry::last_sign(b.snapshot.ranks);
  });
  std::iter_swap(jobs.begin(), last);
  jobs.erase(jobs.begin() + 1, jobs.end());
  return jobs;
}

}  // namespace airamp::command_line
