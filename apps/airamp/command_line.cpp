// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/command_line.hpp"

namespace airamp::command_line {

CommandLine::CommandLine() {
  app.set_version_flag("--version", "airamp " AIRAMP_VERSION);
  app.set_help_all_flag("--help-all", "Print the help of all subcommands");
  app.require_subcommand(1);
}

}  // namespace airamp::command_line
