// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/all_hosts/slurm_job.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <utility>

#include "apps/airamp/all_hosts/labelled_texts.hpp"
#include "apps/airamp/all_hosts/snapshot_json.hpp"
#include "apps/airamp/child_output.hpp"

namespace airamp::command_line {
namespace {

constexpr double longest_wait = 30;          // seconds
constexpr const char* env = "/usr/bin/env";  // looks for a program in PATH

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  if (!all_digits(text) || std::from_chars(text.data(), end, number).ec != std::errc()) return std::nullopt;
  return number;
}

/// What squeue says of a job or of a task of an array, in its format; of an array as a whole, of the task that bears
/// its number. Empty where it knows none.
std::string ask_squeue(const std::string& format, const std::string& job) {
  const ChildOutput answer =
      output_of({env, "squeue", "--noheader", "--jobs=" + job, "--format=%A " + format}, longest_wait);
  std::istringstream lines(answer.text);
  std::string number;
  std::string fact;
  while (lines >> number >> fact) {
    if (number == job || job.find('_') != std::string::npos) return fact;
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> slurm_job_number(const std::string& job) {
  const std::size_t line = job.find('_');
  if (line == std::string::npos) return number_of(job);
  if (!all_digits(job.substr(0, line)) || !all_digits(job.substr(line + 1))) return std::nullopt;
  return number_of(ask_squeue("%A", job));
}

std::string slurm_job_prefix(std::uint64_t number) { return "slurm-" + std::to_string(number) + "-"; }

std::vector<telemetry::RankSnapshot> ranks_on_all_hosts(std::uint64_t number, const std::string& folder, uid_t user) {
  const std::string job = std::to_string(number);
  const std::string hosts = ask_squeue("%D", job);
  if (hosts.empty()) return {};
  std::error_code error;
  const std::string own = std::filesystem::read_symlink("/proc/self/exe", error).string();
  std::vector<std::string> command = {env, "srun", "--jobid=" + job, "--overlap", "--mpi=none", "--label", "--quiet"};
  // All three: a variable of another job may say otherwise.
  command.insert(command.end(), {"--nodes=" + hosts, "--ntasks=" + hosts, "--ntasks-per-node=1"});
  command.insert(command.end(), {own, "ranks", "--job", job, "--folder", folder, "--uid", std::to_string(user)});
  const ChildOutput output = output_of(std::move(command), longest_wait);
  std::vector<telemetry::RankSnapshot> ranks;
  for (const std::string& text : labelled_texts(output.text)) {
    if (auto rank = snapshot_of(nlohmann::json::parse(text, nullptr, false))) ranks.push_back(std::move(*rank));
  }
  std::ranges::sort(ranks, {}, [](const telemetry::RankSnapshot& rank) { return std::pair(rank.job, rank.rank); });
  return ranks;
}

}  // namespace airamp::command_line
