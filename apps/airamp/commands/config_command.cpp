// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/config_command.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <vector>

#include "apps/airamp/exit_codes.hpp"
#include "config/load.hpp"

namespace airamp::command_line {
namespace {

using Row = std::array<std::string, 3>;

int report_errors(const config::Loaded& loaded) {
  for (const std::string& error : loaded.errors) std::cerr << error << '\n';
  std::cerr << "With these mistakes, AIRamp stays off in every job.\n";
  return exit_wrong_settings;
}

void print_table(const std::vector<Row>& rows) {
  std::array<std::size_t, 2> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      std::cout << std::left << std::setw(static_cast<int>(widths[i]) + 2) << row[i];
    }
    std::cout << row.back() << '\n';
  }
}

int show() {
  const config::Loaded loaded = config::load(config::process_environment());
  if (!loaded.errors.empty()) return report_errors(loaded);
  std::vector<Row> rows = {{"SETTING", "VALUE", "FROM"}};
  std::istringstream lines(config::to_text(loaded.settings));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    const std::string key = line.substr(0, colon);
    rows.push_back({key, line.substr(colon + 2), loaded.origins.at(key)});
  }
  print_table(rows);
  return exit_ok;
}

}  // namespace

ConfigCommand::ConfigCommand(CLI::App& app)
    : command_(app.add_subcommand("config", "Check or show the settings")),
      check_(command_->add_subcommand("check",
                                      "Say whether a configuration file, or all that is in effect, is in order")) {
  command_->require_subcommand(1);
  command_->add_subcommand("show", "Show every setting that is in effect, and where it comes from");
  check_->add_option("FILE", file_, "Configuration file; without it, the settings that would be in effect are checked");
  check_->footer("Exit codes: 0 in order, 1 mistakes (listed on stderr).");
}

int ConfigCommand::run() const { return check_->parsed() ? check() : show(); }

int ConfigCommand::check() const {
  const bool given = check_->count("FILE") > 0;
  const config::Loaded loaded =
      config::load(given ? config::fixed_environment({{"AIRAMP_CONFIG", file_}}) : config::process_environment());
  if (!loaded.errors.empty()) return report_errors(loaded);
  std::cout << (loaded.file.empty() ? "defaults and environment variables" : loaded.file) << ": ok\n";
  return exit_ok;
}

}  // namespace airamp::command_line
