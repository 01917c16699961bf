// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/doctor_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "apps/airamp/doctor/check_table.hpp"
#include "apps/airamp/doctor/gather.hpp"
#include "apps/airamp/doctor/result_table.hpp"
#include "apps/airamp/exit_codes.hpp"
#include "apps/airamp/linked_program/find_program.hpp"

namespace airamp::command_line {

DoctorCommand::DoctorCommand(CLI::App& app)
    : command_(app.add_subcommand("doctor", "Say what is wrong on this host or with a job, and how to mend it")),
      selection_(*command_, JobSelection::Reach::this_host, "this host is looked at for a job that is to be started") {
  command_->add_option("PROGRAM", program_, "The program that will be run: its MPI library counts. Default: mpirun's");
  command_
      ->add_option("--ranks", ranks_,
                   "Ranks on this host. Default: the job's or the launcher's, else one for each "
                   "processor")
      ->check(CLI::Range(1, 1048576));
  command_->add_option("--library", library_, "libairamp.so to look at, instead of the one installed with this program")
      ->type_name("FILE");
  command_->add_flag("--measure", measure_,
                     "Also measure memory, processors and GPUs against what they should give; "
                     "takes up to a minute, and uses the GPUs");
  command_->add_flag("--json", json_, "As JSON");
  command_->footer(
      "Exit codes: 0 nothing is wrong, 1 something is (the first lines say what), 2 no such job or program.");
}

int DoctorCommand::run() const {
  if (!program_.empty() && access(find_program(program_).c_str(), F_OK) != 0) {
    std::cerr << "airamp doctor: " << program_ << ": program not found\n";
    return exit_usage;
  }
  doctor::Request request{.program = program_, .library = library_, .ranks = ranks_, .measure = measure_, .job = {}};
  if (selection_.named()) {
    std::string why_none;
    std::vector<JobSelection::Job> jobs = selection_.read(why_none);
    if (jobs.empty()) {
      std::cerr << "airamp doctor: " << why_none << '\n';
      return exit_usage;
    }
    request.job = std::move(jobs.front().snapshot.ranks);
    std::erase_if(request.job, [](const telemetry::RankSnapshot& rank) { return !rank.runs(); });
    if (request.job.empty()) {
      std::cerr << "airamp doctor: no rank of job " << jobs.front().name << " is known to run on this host\n";
      return exit_usage;
    }
    for (const std::string& error : jobs.front().snapshot.errors) std::cerr << "skipped: " << error << '\n';
  }
  const std::vector<doctor::Result> results = doctor::examine(doctor::gather(std::move(request)));
  if (json_) {
    std::cout << doctor::result_json(results).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    std::cout << doctor::result_table(results);
  }
  const bool wrong = std::any_of(results.begin(), results.end(), [](const doctor::Result& result) {
    return result.finding.verdict == doctor::Verdict::wrong;
  });
  return wrong ? exit_wrong_host : exit_ok;
}

}  // namespace airamp::command_line
