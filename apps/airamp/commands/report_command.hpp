// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace airamp::command_line {

/// `airamp report`: a run's report as a page, or what changed between two runs.
class ReportCommand {
 public:
  explicit ReportCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Writes the page or the comparison; returns the exit code.
  int run() const;

 private:
  std::string page_file() const;

  CLI::App* command_;
  std::string input_;
  std::string other_;
  std::string output_;
};

}  // namespace airamp::command_line
