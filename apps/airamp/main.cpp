// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "apps/airamp/commands/config_command.hpp"
#include "apps/airamp/commands/exec_command.hpp"
#include "apps/airamp/commands/hang_command.hpp"
#include "apps/airamp/commands/info_command.hpp"
#include "apps/airamp/commands/pola_command.hpp"
#include "apps/airamp/commands/report_command.hpp"
#include "apps/airamp/commands/status_command.hpp"
#include "apps/airamp/exit_codes.hpp"

namespace airamp::command_line {
namespace {

int run(int argc, char** argv) {
  CLI::App app("AIRamp for MPI: faster collectives for unmodified simulations", "airamp");
  app.set_version_flag("--version", "airamp " AIRAMP_VERSION);
  app.set_help_all_flag("--help-all", "Print the help of all subcommands");
  app.require_subcommand(1);
  const ExecCommand exec(app);
  const ConfigCommand config(app);
  const HangCommand hang(app);
  const InfoCommand info(app);
  const PolaCommand pola(app);
  const ReportCommand report(app);
  const StatusCommand status(app);

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto command =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& a) { return !a.starts_with('-'); });
  // What follows the "--" of exec is the program's alone, so the parser does not see it.
  const bool execs = command != arguments.end() && *command == "exec";
  const auto dashes = execs ? std::find(command, arguments.end(), "--") : arguments.end();
  const bool has_dashes = dashes != arguments.end();
  const std::vector<std::string> after(has_dashes ? dashes + 1 : dashes, arguments.end());
  std::vector<std::string> before(arguments.begin(), dashes);
  std::reverse(before.begin(), before.end());  // the order that CLI11 takes them in
  try {
    app.parse(before);
  } catch (const CLI::RequiredError& error) {
    // What stands in the place of what is missing is the better hint: "airamp statsu".
    std::vector<std::string> unknown = app.remaining(true);
    std::erase(unknown, "--");
    unknown.empty() ? app.exit(error) : app.exit(CLI::ExtrasError(app.get_name(), unknown));
    return exit_usage;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_usage;
  }
  if (exec.called()) return exec.run(after, has_dashes);
  if (hang.called()) return hang.run();
  if (info.called()) return info.run();
  if (report.called()) return report.run();
  if (status.called()) return status.run();
  return pola.called() ? pola.run() : config.run();
}

}  // namespace
}  // namespace airamp::command_line

int main(int argc, char** argv) {
  try {
    return airamp::command_line::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "airamp: " << error.what() << '\n';
    return airamp::command_line::exit_usage;
  }
}
