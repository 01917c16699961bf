// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "apps/airamp/command_line.hpp"
#include "apps/airamp/exit_codes.hpp"

namespace airamp::command_line {
namespace {

int run(int argc, char** argv) {
  CommandLine commands;
  CLI::App& app = commands.app;
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
  if (commands.exec.called()) return commands.exec.run(after, has_dashes);
  if (commands.doctor.called()) return commands.doctor.run();
  if (commands.hang.called()) return commands.hang.run();
  if (commands.info.called()) return commands.info.run();
  if (commands.ranks.called()) return commands.ranks.run();
  if (commands.report.called()) return commands.report.run();
  if (commands.status.called()) return commands.status.run();
  return commands.pola.called() ? commands.pola.run() : commands.config.run();
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
