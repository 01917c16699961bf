// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::command_line {

/// What a program that was started wrote, and how it ended.
struct ChildOutput {
  std::string text;        ///< of its standard output
  bool succeeded = false;  ///< it ended by itself, with status 0
  bool timed_out = false;  ///< it took longer than it was given, and was killed
};

/// Starts the program whose file is `command[0]`, waits for its end, at most for `seconds`, and returns what it wrote.
/// Its standard error goes nowhere. Of a file that cannot be executed there is no text and no success.
ChildOutput output_of(std::vector<std::string> command, double seconds);

}  // namespace airamp::command_line
