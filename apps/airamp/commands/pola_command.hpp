// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace airamp::command_line {

/// `airamp pola replay`.
class PolaCommand {
 public:
  explicit PolaCommand(CLI::App& app);

  /// Whether it was called.
  bool called() const { return command_->parsed(); }

  /// Replays and prints; returns the exit code.
  int run() const;

 private:
  CLI::App* command_;
  CLI::App* replay_;
  std::vector<std::string> traces_;
  std::string picture_;
  bool json_ = false;
  bool baselines_ = false;
  std::size_t lock_events_ = 32;
  std::uint32_t communicator_ = 0;
};

}  // namespace airamp::command_line
