// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "apps/airamp/commands/config_command.hpp"
#include "apps/airamp/commands/doctor_command.hpp"
#include "apps/airamp/commands/exec_command.hpp"
#include "apps/airamp/commands/hang_command.hpp"
#include "apps/airamp/commands/info_command.hpp"
#include "apps/airamp/commands/pola_command.hpp"
#include "apps/airamp/commands/ranks_command.hpp"
#include "apps/airamp/commands/report_command.hpp"
#include "apps/airamp/commands/status_command.hpp"

namespace airamp::command_line {

/// The options and subcommands of `airamp`: what it parses, what --help shows and what the manual is made of.
struct CommandLine {
  CommandLine();

  CLI::App app{"AIRamp for MPI: faster collectives for unmodified simulations", "airamp"};
  ExecCommand exec{app};
  ConfigCommand config{app};
  DoctorCommand doctor{app};
  HangCommand hang{app};
  InfoCommand info{app};
  PolaCommand pola{app};
  RanksCommand ranks{app};
  ReportCommand report{app};
  StatusCommand status{app};
};

}  // namespace airamp::command_line
