// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::command_line {

/// Exit codes of `airamp`, those of shells and env(1) where they have one.
enum ExitCode : int {
  exit_ok = 0,
  exit_wrong_settings = 1,  ///< `airamp config`: the settings have mistakes
  exit_hang = 1,            ///< `airamp hang`: a rank is missing, stopped or gone
  exit_wrong_host = 1,      ///< `airamp doctor`: something is wrong
  exit_usage = 2,           ///< a wrong option or value; nothing was run
  exit_no_library = 3,      ///< libairamp.so was not found or cannot be preloaded; nothing was run
  exit_not_executable = 126,
  exit_not_found = 127,
};

}  // namespace airamp::command_line
