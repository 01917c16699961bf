// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grid.hpp"

namespace rtm_stack {

/// The subsurface that is imaged: four layers of constant sound speed, so three reflectors.
struct VelocityModel {
  static constexpr double cell_size = 10.0;  ///< metres, in x and z

  Grid<float> true_velocity;    ///< metres per second; what the recorded data are computed with
  Grid<float> smooth_velocity;  ///< metres per second; what is known when migrating: the same without sharp edges

  /// Depth of each reflector, in cells, for every x: an anticline, a dipping plane and a flat floor.
  std::vector<std::vector<double>> reflector_depths;

  float minimum_velocity = 0.0F;
  float maximum_velocity = 0.0F;
};

/// A model of nx times nz cells, both at least 32.
VelocityModel make_velocity_model(int nx, int nz);

}  // namespace rtm_stack
