// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/status_command.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <thread>

#include "apps/airamp/exit_codes.hpp"
#include "apps/airamp/rank_table.hpp"

namespace airamp::command_line {
namespace {

constexpr std::size_t max_stragglers = 10;
/// ECMA-48: cursor to the upper left, erase the display.
constexpr const char* clear_screen = "\x1b[H\x1b[2J";

}  // namespace

StatusCommand::StatusCommand(CLI::App& app)
    : command_(app.add_subcommand("status", "Show what the ranks of your running jobs on this host do")),
      selection_(*command_, JobSelection::Reach::all_hosts) {
  command_->add_option("--watch", watch_seconds_, "Show it again every so many seconds")
      ->check(CLI::Range(0.1, 86400.0));
  command_->add_flag("--stragglers", stragglers_, "Name the ranks that the others wait for, and where they run");
  command_->add_flag("--json", json_, "As JSON, one line each time");
  command_->footer("Exit codes: 0 shown, 2 no job found.");
}

int StatusCommand::run() const {
  if (watch_seconds_ == 0) return print();
  for (;;) {
    if (isatty(STDOUT_FILENO) == 1 && !json_) std::cout << clear_screen;
    print();
    std::cout.flush();
    std::this_thread::sleep_for(std::chrono::duration<double>(watch_seconds_));
  }
}

int StatusCommand::print() const {
  std::string why_none;
  const std::vector<JobSelection::Job> jobs = selection_.read(why_none);
  if (jobs.empty()) {
    std::cerr << "airamp status: " << why_none << '\n';
    return exit_usage;
  }
  nlohmann::json json = nlohmann::json::array();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const JobSelection::Job& job = jobs[i];
    if (json_) {
      nlohmann::json row = rank_json(job.name, job.snapshot.ranks);
      if (stragglers_) row["stragglers"] = straggler_json(job.snapshot.ranks);
      row["errors"] = job.snapshot.errors;
      json.push_back(std::move(row));
      continue;
    }
    std::cout << (i > 0 ? "\n" : "") << rank_table(job.name, job.snapshot.ranks);
    if (stragglers_) std::cout << '\n' << straggler_table(job.snapshot.ranks, max_stragglers);
    for (const std::string& error : job.snapshot.errors) std::cerr << "skipped: " << error << '\n';
  }
  if (json_) std::cout << json.dump() << '\n';
  return exit_ok;
}

}  // namespace airamp::command_line
