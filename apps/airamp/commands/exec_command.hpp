// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace airamp::command_line {

/// `airamp exec`: starts one program with libairamp.so preloaded, and settings from options.
class ExecCommand {
 public:
  /// Adds the subcommand with one option for each setting that has an environment variable.
  explicit ExecCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Runs `program`, or shows the environment. `after_dashes` are the arguments that followed "--". Returns an exit
  /// code if the program could not be started; its process is this one.
  int run(const std::vector<std::string>& after_dashes, bool has_dashes) const;

 private:
  // Every mistake in the options, each a complete message.
  std::vector<std::string> mistakes() const;
  // The AIRAMP_* variables that the options stand for.
  std::map<std::string, std::string> variables() const;

  CLI::App* command_;
  std::map<std::string, std::string> values_;  // of the setting options, by key
  std::map<std::string, CLI::Option*> options_;
  std::string config_;
  std::string library_;
  std::string mpi_;
  bool print_ = false;
};

}  // namespace airamp::command_line
