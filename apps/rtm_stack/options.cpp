// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>

namespace rtm_stack {

void declare(CLI::App& app, Options& options) {
  app.add_option("--nx", options.nx, "Width of the model in cells of 10 m")->check(CLI::Range(32, 4096));
  app.add_option("--nz", options.nz, "Depth of the model in cells of 10 m")->check(CLI::Range(32, 4096));
  app.add_option("--shots", options.shots, "Shots, dealt to the ranks in turn")->check(CLI::Range(1, 1 << 20));
  app.add_option("--timesteps", options.timesteps, "Time steps of 1.5 ms that are recorded")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--shots-per-stack", options.shots_per_stack,
                 "Shots that each rank migrates before their images are stacked; fewer give more Allreduces")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option(
         "--image-scale", options.image_scale,
         "Stack images upscaled by this factor in x and z (bilinear interpolation): larger messages without more "
         "wave propagation, but no more detail")
      ->check(CLI::Range(1, 1000));
  app.add_option("--stack-repeats", options.stack_repeats,
                 "Do each stacking Allreduce this many times on the same data, for timing; the last result counts")
      ->check(CLI::Range(1, 100000));
  app.add_flag(
      "--device", options.device,
      "Keep the images that are stacked in GPU memory (CUDA; the MPI library must take such buffers, or AIRamp)");
  app.add_option("--output", options.output, "Write the stacked image to this file (8-bit PGM)");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_lnames() != std::vector<std::string>{"help"}) option->capture_default_str();
  }
}

}  // namespace rtm_stack
