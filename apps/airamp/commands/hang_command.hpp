// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "apps/airamp/job_selection.hpp"

namespace airamp::command_line {

/// `airamp hang`: which rank a stuck or dead job waits or waited for.
class HangCommand {
 public:
  explicit HangCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Prints; returns the exit code.
  int run() const;

 private:
  CLI::App* command_;
  JobSelection selection_;
  double patience_seconds_ = 5;
  bool json_ = false;
};

}  // namespace airamp::command_line
