// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grid.hpp"
#include "velocity_model.hpp"

namespace rtm_stack {

/// Where and for how long one shot is recorded.
struct Survey {
  int shots = 0;
  int timesteps = 0;
};

/// Records one shot over the true model and migrates it over the smooth one: the source wave field forwards, the
/// recorded reflections backwards in time, their zero-lag cross-correlation divided by the source's illumination, and a
/// Laplacian filter against low-frequency noise. `shot` is in [0, survey.shots); shots are spread evenly over the
/// surface, receivers stand at every x. The result has the size of the model and arbitrary units, the same for all
/// shots.
Grid<float> migrate_shot(const VelocityModel& model, const Survey& survey, int shot);

}  // namespace rtm_stack
