// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/ranks_command.hpp"

#include <iostream>

#include "apps/airamp/all_hosts/labelled_texts.hpp"
#include "apps/airamp/all_hosts/snapshot_json.hpp"
#include "apps/airamp/exit_codes.hpp"

namespace airamp::command_line {

RanksCommand::RanksCommand(CLI::App& app)
    : command_(app.add_subcommand("ranks", "Write what the ranks of a job publish on this host, for programs")),
      selection_(*command_, JobSelection::Reach::this_host) {
  command_->footer(
      "airamp status and airamp hang start it on each host of a job of Slurm. It writes JSON for each rank, in lines\n"
      "of at most 901 bytes: they begin with \".\" where it ends, and with \"+\" before that.\n"
      "Exit code 0, also where there are none.");
}

int RanksCommand::run() const {
  std::string why_none;
  for (const JobSelection::Job& job : selection_.read_all(why_none)) {
    for (const telemetry::RankSnapshot& rank : job.snapshot.ranks) {
      write_pieces(std::cout, snapshot_json(rank).dump(-1, ' ', true));
    }
  }
  return exit_ok;
}

}  // namespace airamp::command_line
