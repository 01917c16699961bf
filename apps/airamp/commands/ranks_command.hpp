// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "apps/airamp/job_selection.hpp"

namespace airamp::command_line {

/// `airamp ranks`: what ranks of this host publish, for `airamp status` and `airamp hang` on another one.
class RanksCommand {
 public:
  explicit RanksCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Prints; returns the exit code.
  int run() const;

 private:
  CLI::App* command_;
  JobSelection selection_;
};

}  // namespace airamp::command_line
