// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "velocity_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace rtm_stack {
namespace {

constexpr std::array<float, 4> layer_velocities = {1800.0F, 2100.0F, 2500.0F, 3000.0F};
constexpr int smoothing_radius = 6;  // cells, about half a wavelength of the wavelet
constexpr int smoothing_passes = 2;

/// Running mean over 2 * smoothing_radius + 1 cells along one direction; the edge value continues outside.
Grid<double> smooth_along(const Grid<double>& input, int step_x, int step_z) {
  Grid<double> result(input.nx, input.nz);
  for (int z = 0; z < input.nz; ++z) {
    for (int x = 0; x < input.nx; ++x) {
      double sum = 0.0;
      for (int offset = -smoothing_radius; offset <= smoothing_radius; ++offset) {
        sum += input.at(std::clamp(x + offset * step_x, 0, input.nx - 1),
                        std::clamp(z + offset * step_z, 0, input.nz - 1));
      }
      result.at(x, z) = sum / (2 * smoothing_radius + 1);
    }
  }
  return result;
}

/// Smooths the slowness, not the velocity, so that travel times are kept.
Grid<float> smooth(const Grid<float>& velocity) {
  Grid<double> slowness(velocity.nx, velocity.nz);
  std::ranges::transform(velocity.values, slowness.values.begin(), [](float value) { return 1.0 / value; });
  for (int pass = 0; pass < smoothing_passes; ++pass) {
    slowness = smooth_along(smooth_along(slowness, 1, 0), 0, 1);
  }
  Grid<float> result(velocity.nx, velocity.nz);
  std::ranges::transform(slowness.values, result.values.begin(),
                         [](double value) { return static_cast<float>(1.0 / value); });
  return result;
}

}  // namespace

VelocityModel make_velocity_model(int nx, int nz) {
  VelocityModel model;
  model.minimum_velocity = layer_velocities.front();
  model.maximum_velocity = layer_velocities.back();
  model.reflector_depths.assign(layer_velocities.size() - 1, std::vector<double>(static_cast<std::size_t>(nx)));
  model.true_velocity = Grid<float>(nx, nz);
  for (int x = 0; x < nx; ++x) {
    const double position = static_cast<double>(x) / (nx - 1);
    const std::array<double, 3> depths = {
        nz * (0.36 - 0.04 * (1.0 - std::cos(2.0 * std::numbers::pi * position))),
        nz * (0.48 + 0.12 * position),
        nz * 0.78,
    };
    for (std::size_t reflector = 0; reflector < depths.size(); ++reflector) {
      model.reflector_depths[reflector][static_cast<std::size_t>(x)] = depths[reflector];
    }
    for (int z = 0; z < nz; ++z) {
      const auto layer =
          static_cast<std::size_t>(std::ranges::count_if(depths, [z](double depth) { return depth <= z; }));
      model.true_velocity.at(x, z) = layer_velocities[layer];
    }
  }
  model.smooth_velocity = smooth(model.true_velocity);
  return model;
}

}  // namespace rtm_stack
