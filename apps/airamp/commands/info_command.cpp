// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/info_command.hpp"

#include <iostream>
#include <string>
#include <vector>

#include "apps/airamp/exit_codes.hpp"
#include "apps/airamp/text_table.hpp"
#include "core/algorithm_id.hpp"

namespace airamp::command_line {
namespace {

std::string algorithm_table() {
  std::vector<std::vector<std::string>> rows = {{"ALGORITHM", "RESULTS", "WHAT IT CARRIES, AND HOW"}};
  for (const AlgorithmTraits& traits : algorithm_traits) {
    rows.push_back({std::string(traits.name), traits.results == Results::lossy ? "lossy" : "exact",
                    std::string(traits.description)});
  }
  return text_table(rows);
}

}  // namespace

InfoCommand::InfoCommand(CLI::App& app) : command_(app.add_subcommand("info", "Show what this build of AIRamp has")) {
  command_->add_flag("--algorithms", algorithms_, "The algorithms, as AIRAMP_FORCE and the reports name them")
      ->required();
  command_->footer("Results are exact but for the rounding of the element type, or lossy within max_relative_error.");
}

int InfoCommand::run() const {
  std::cout << algorithm_table();
  return exit_ok;
}

}  // namespace airamp::command_line
