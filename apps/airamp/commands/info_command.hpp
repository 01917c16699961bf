// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace airamp::command_line {

/// `airamp info`: what this build of AIRamp has.
class InfoCommand {
 public:
  explicit InfoCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Prints it; returns the exit code.
  int run() const;

 private:
  CLI::App* command_;
  bool algorithms_ = false;
};

}  // namespace airamp::command_line
