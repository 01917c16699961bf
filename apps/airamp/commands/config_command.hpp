// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace airamp::command_line {

/// `airamp config check` and `airamp config show`.
class ConfigCommand {
 public:
  explicit ConfigCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Checks or shows; returns the exit code.
  int run() const;

 private:
  int check() const;

  CLI::App* command_;
  CLI::App* check_;
  std::string file_;
};

}  // namespace airamp::command_line
