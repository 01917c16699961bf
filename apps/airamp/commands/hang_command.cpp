// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/hang_command.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/airamp/exit_codes.hpp"
#include "telemetry/diagnosis/hang_analysis.hpp"
#include "telemetry/segment/rank_state.hpp"

namespace airamp::command_line {
namespace {

using telemetry::HangReport;
using telemetry::RankSnapshot;

nlohmann::json culprit_json(int number, const std::vector<RankSnapshot>& ranks) {
  nlohmann::json json = {{"rank", number}};
  const auto rank = std::find_if(ranks.begin(), ranks.end(), [&](const RankSnapshot& r) { return r.rank == number; });
  if (rank != ranks.end()) {
    json["host"] = rank->host;
    json["pid"] = rank->process;
    json["state"] = to_string(rank_state(*rank));
  }
  return json;
}

nlohmann::json finding_json(const HangReport::Finding& finding, const std::vector<RankSnapshot>& ranks, bool dead) {
  nlohmann::json culprits = nlohmann::json::array();
  for (int rank : finding.culprits) culprits.push_back(culprit_json(rank, ranks));
  nlohmann::json json = {{"kind", to_string(finding.kind)},
                         {"communicator", nullptr},
                         {"function", nullptr},
                         {"sequence", nullptr},
                         {"waited_seconds", nullptr},
                         {"quiet_seconds", nullptr},
                         {"waiting", finding.waiting},
                         {"culprits", std::move(culprits)},
                         {"text", finding.text}};
  if (finding.kind != HangReport::Kind::not_running) {
    json["communicator"] = finding.communicator;
    json["function"] = finding.function;
    json["sequence"] = finding.sequence;
    json["waited_seconds"] = finding.waited_seconds;
  } else if (!dead) {
    json["quiet_seconds"] = finding.quiet_seconds;
  }
  return json;
}

nlohmann::json job_json(const JobSelection::Job& job, const HangReport& report) {
  nlohmann::json findings = nlohmann::json::array();
  for (const HangReport::Finding& finding : report.findings) {
    findings.push_back(finding_json(finding, job.snapshot.ranks, report.dead));
  }
  return {{"job", job.name},
          {"dead", report.dead},
          {"ranks", job.snapshot.ranks.size()},
          {"findings", std::move(findings)},
          {"notes", report.notes},
          {"errors", job.snapshot.errors}};
}

void print(const JobSelection::Job& job, const HangReport& report) {
  const std::vector<RankSnapshot>& ranks = job.snapshot.ranks;
  const bool runs = std::any_of(ranks.begin(), ranks.end(), [](const RankSnapshot& rank) { return rank.runs(); });
  std::cout << "job " << job.name << " ("
            << (report.dead ? "dead"
                : runs      ? "running"
                            : "not known to run")
            << ", " << ranks.size() << " of " << ranks.front().size << " ranks known)\n";
  if (report.findings.empty()) std::cout << "  no hang suspected\n";
  for (const HangReport::Finding& finding : report.findings) std::cout << "  " << finding.text << '\n';
  for (const std::string& note : report.notes) std::cout << "  note: " << note << '\n';
  for (const std::string& error : job.snapshot.errors) std::cerr << "skipped: " << error << '\n';
}

}  // namespace

HangCommand::HangCommand(CLI::App& app)
    : command_(app.add_subcommand("hang", "Say which ranks of a job of yours are stuck, stopped or gone")),
      selection_(*command_, JobSelection::Reach::all_hosts) {
  command_->add_option("--patience", patience_seconds_, "Seconds in a collective that are not yet a hang")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  command_->add_flag("--json", json_, "As JSON");
  command_->footer("Exit codes: 0 no hang suspected, 1 hang (what is wrong is on stdout), 2 no job found.");
}

int HangCommand::run() const {
  std::string why_none;
  const std::vector<JobSelection::Job> jobs = selection_.read(why_none);
  if (jobs.empty()) {
    std::cerr << "airamp hang: " << why_none << '\n';
    return exit_usage;
  }
  bool hangs = false;
  nlohmann::json json = nlohmann::json::array();
  for (const JobSelection::Job& job : jobs) {
    const HangReport report = telemetry::analyse_hang(job.snapshot.ranks, patience_seconds_);
    hangs = hangs || !report.findings.empty();
    if (json_) {
      json.push_back(job_json(job, report));
    } else {
      print(job, report);
    }
  }
  if (json_) std::cout << json.dump() << '\n';
  return hangs ? exit_hang : exit_ok;
}

}  // namespace airamp::command_line
