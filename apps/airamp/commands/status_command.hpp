// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "apps/airamp/job_selection.hpp"

namespace airamp::command_line {

/// `airamp status`: what the ranks of running jobs do.
class StatusCommand {
 public:
  explicit StatusCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Prints; returns the exit code. With --watch it ends when it is killed.
  int run() const;

 private:
  int print() const;

  CLI::App* command_;
  JobSelection selection_;
  double watch_seconds_ = 0;
  bool stragglers_ = false;
  bool json_ = false;
};

}  // namespace airamp::command_line
