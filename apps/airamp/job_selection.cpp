// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/job_selection.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

#include "apps/airamp/all_hosts/slurm_job.hpp"
#include "config/load.hpp"
#include "telemetry/diagnosis/last_sign.hpp"
#include "telemetry/diagnosis/process_evidence.hpp"

namespace airamp::command_line {
namespace {

using Job = JobSelection::Job;

bool runs(const Job& job) {
  return std::any_of(job.snapshot.ranks.begin(), job.snapshot.ranks.end(),
                     [](const telemetry::RankSnapshot& rank) { return rank.runs(); });
}

bool complete(const Job& job) { return static_cast<int>(job.snapshot.ranks.size()) >= job.snapshot.ranks.front().size; }

/// Reads the jobs of these names; what of them cannot be read goes into `errors` if nothing of the job can.
std::vector<Job> read_jobs(const std::string& folder, const std::vector<std::string>& names, uid_t user,
                           std::vector<std::string>& errors) {
  std::vector<Job> jobs;
  for (const std::string& name : names) {
    Job job{.name = name, .snapshot = telemetry::read_job(folder, name, user)};
    if (!job.snapshot.ranks.empty()) {
      telemetry::look_at_processes(job.snapshot.ranks);
      jobs.push_back(std::move(job));
    } else {
      errors.insert(errors.end(), job.snapshot.errors.begin(), job.snapshot.errors.end());
    }
  }
  return jobs;
}

/// Ranks, which are sorted by job, as jobs.
std::vector<Job> by_job(std::vector<telemetry::RankSnapshot> ranks) {
  std::array<char, HOST_NAME_MAX + 1> own{};
  gethostname(own.data(), own.size() - 1);
  std::vector<Job> jobs;
  for (telemetry::RankSnapshot& rank : ranks) {
    rank.elsewhere = rank.host != own.data();
    if (jobs.empty() || jobs.back().name != rank.job) jobs.push_back({.name = rank.job, .snapshot = {}});
    jobs.back().snapshot.ranks.push_back(std::move(rank));
  }
  return jobs;
}

/// Leaves those that run, or if none does the one that gave the last sign.
void keep_running(std::vector<Job>& jobs) {
  const auto dead = std::stable_partition(jobs.begin(), jobs.end(), runs);
  if (dead != jobs.begin()) {
    jobs.erase(dead, jobs.end());
    return;
  }
  const auto last = std::max_element(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
    return telemetry::last_sign(a.snapshot.ranks) < telemetry::last_sign(b.snapshot.ranks);
  });
  std::iter_swap(jobs.begin(), last);
  jobs.erase(jobs.begin() + 1, jobs.end());
}

}  // namespace

JobSelection::JobSelection(CLI::App& command, Reach reach, const std::string& without_name)
    : reach_(reach), user_(geteuid()) {
  command.add_option("--job", job_, "Name of the job, or the number of one of Slurm's; without it, " + without_name);
  command.add_option("--folder", folder_, "Where the ranks publish; without it, the setting telemetry_folder");
  command.add_option("--uid", user_, "Number of the user whose jobs they are; only root can read those of others");
  if (reach != Reach::all_hosts) return;
  command.add_flag_callback(
      "--this-host", [this] { reach_ = Reach::this_host; },
      "Do not ask the other hosts of a job of Slurm, which srun reaches");
}

std::string JobSelection::folder() const {
  return folder_.empty() ? config::load(config::process_environment()).settings.telemetry_folder : folder_;
}

std::vector<Job> JobSelection::read_slurm_job(std::uint64_t number, std::vector<std::string>& errors) const {
  telemetry::JobList list = telemetry::list_jobs(folder(), user_);
  std::erase_if(list.jobs, [&](const std::string& name) { return !name.starts_with(slurm_job_prefix(number)); });
  std::vector<Job> jobs = read_jobs(folder(), list.jobs, user_, errors);
  const bool all_here = !jobs.empty() && std::ranges::all_of(jobs, complete);
  if (all_here || reach_ == Reach::this_host) return jobs;
  std::vector<Job> gathered = by_job(ranks_on_all_hosts(number, folder(), user_));
  if (!gathered.empty()) return gathered;
  const std::string missed = "the ranks of other hosts: srun has not reached them in job " + std::to_string(number);
  for (Job& job : jobs) job.snapshot.errors.push_back(missed);
  errors.push_back(missed);
  return jobs;
}

std::vector<Job> JobSelection::read_all(std::string& why_none) const {
  std::vector<std::string> errors;
  const std::optional<std::uint64_t> number = slurm_job_number(job_);
  std::vector<Job> jobs;
  if (number) {
    jobs = read_slurm_job(*number, errors);
  } else if (job_.empty()) {
    const telemetry::JobList list = telemetry::list_jobs(folder(), user_);
    errors = list.errors;
    jobs = read_jobs(folder(), list.jobs, user_, errors);
  } else {
    jobs = read_jobs(folder(), {job_}, user_, errors);
  }
  if (jobs.empty()) {
    const std::string whose = user_ == geteuid() ? "of yours" : "of user " + std::to_string(user_);
    why_none = job_.empty() ? "no job " + whose + " publishes in " + folder()
                            : "no job " + job_ + " " + whose + " in " + folder();
    for (const std::string& error : errors) why_none += "\n" + error;
  }
  return jobs;
}

std::vector<Job> JobSelection::read(std::string& why_none) const {
  std::vector<Job> jobs = read_all(why_none);
  if (jobs.size() > 1) keep_running(jobs);
  return jobs;
}

}  // namespace airamp::command_line
