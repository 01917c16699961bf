// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace airamp::command_line {

/// `airamp report`: a run's report as a page.
class ReportCommand {
 public:
  explicit ReportCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Writes the page; returns the exit code.
  int run() const;

 private:
  CLI::App* command_;
  std::string input_;
  std::string output_;
};

}  // namespace airamp::command_line
