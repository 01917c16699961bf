// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "apps/airamp/job_selection.hpp"

namespace airamp::command_line {

/// `airamp doctor`: what is wrong on this host or with a job, and how to mend it.
class DoctorCommand {
 public:
  explicit DoctorCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Prints; returns the exit code.
  int run() const;

 private:
  CLI::App* command_;
  JobSelection selection_;
  std::string program_;
  std::string library_;
  int ranks_ = 0;
  bool measure_ = false;
  bool json_ = false;
};

}  // namespace airamp::command_line
