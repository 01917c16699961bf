// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace rtm_stack {

/// The command line; the fields' units, ranges and defaults are in --help.
struct Options {
  int nx = 200;
  int nz = 120;
  int shots = 8;
  int timesteps = 900;
  int shots_per_stack = 1;
  int image_scale = 1;
  int stack_repeats = 1;
  bool device = false;
  std::string output;
};

/// Adds the options to the command line parser `app`.
void declare(CLI::App& app, Options& options);

}  // namespace rtm_stack
