// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "grid.hpp"

namespace rtm_stack {

/// The constant-density acoustic wave equation on a square grid: finite differences of 8th order in space and 2nd order
/// in time, with an absorbing sponge outside all four edges. One object per wave field; not thread-safe.
class WavePropagator {
 public:
  /// The largest stable velocity * time_step / cell_size of the scheme is 0.554; callers stay below it.
  static constexpr double courant_number = 0.45;

  /// `velocity` in metres per second, `time_step` in seconds, `cell_size` in metres.
  WavePropagator(const Grid<float>& velocity, double time_step, double cell_size);

  /// Adds a pressure source of this amplitude at cell (x, z); it acts in the next step.
  void inject(int x, int z, float amplitude);

  /// Advances the field by one time step.
  void step();

  float at(int x, int z) const { return current_[index(x, z)]; }

  /// The `nx` values of row `z`.
  const float* row(int z) const { return &current_[index(0, z)]; }

 private:
  static constexpr int sponge_width = 32;
  static constexpr int stencil_radius = 4;
  static constexpr int margin = sponge_width + stencil_radius;

  std::size_t index(int x, int z) const {
    return static_cast<std::size_t>(z + margin) * static_cast<std::size_t>(stride_) +
           static_cast<std::size_t>(x + margin);
  }

  int nx_;
  int nz_;
  int stride_;
  std::vector<float> squared_courant_;  // (velocity * time_step / cell_size)^2 of every cell
  std::vector<float> damping_;          // 1 inside, below 1 in the sponge
  std::vector<float> current_;
  std::vector<float> previous_;
};

}  // namespace rtm_stack
