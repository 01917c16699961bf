// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "wave_propagator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rtm_stack {
namespace {

// Second derivative of 8th order: weights of the centre and of the neighbours at distance 1 to 4.
constexpr float centre = -205.0F / 72.0F;
constexpr float near_1 = 8.0F / 5.0F;
constexpr float near_2 = -1.0F / 5.0F;
constexpr float near_3 = 8.0F / 315.0F;
constexpr float near_4 = -1.0F / 560.0F;

constexpr double sponge_strength =
    0.0053;  // Cerjan et al. (1985) taper exp(-(strength * distance)^2), tuned to the width

/// Cells between a coordinate and the section it should lie in; 0 inside.
int distance_outside(int coordinate, int extent) { return std::max({-coordinate, coordinate - (extent - 1), 0}); }

}  // namespace

WavePropagator::WavePropagator(const Grid<float>& velocity, double time_step, double cell_size)
    : nx_(velocity.nx), nz_(velocity.nz), stride_(velocity.nx + 2 * margin) {
  const std::size_t cells = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(nz_ + 2 * margin);
  squared_courant_.resize(cells);
  damping_.resize(cells);
  current_.assign(cells, 0.0F);
  previous_.assign(cells, 0.0F);
  for (int z = -margin; z < nz_ + margin; ++z) {
    for (int x = -margin; x < nx_ + margin; ++x) {
      const double courant = velocity.at(std::clamp(x, 0, nx_ - 1), std::clamp(z, 0, nz_ - 1)) * time_step / cell_size;
      const double distance = std::hypot(distance_outside(x, nx_), distance_outside(z, nz_));
      squared_courant_[index(x, z)] = static_cast<float>(courant * courant);
      damping_[index(x, z)] = static_cast<float>(std::exp(-std::pow(sponge_strength * distance, 2)));
    }
  }
}

void WavePropagator::inject(int x, int z, float amplitude) {
  // The source enters as a change of the time derivative: previous_ is subtracted in the step.
  previous_[index(x, z)] -= squared_courant_[index(x, z)] * amplitude;
}

void WavePropagator::step() {
  const std::ptrdiff_t stride = stride_;
  const int columns = nx_ + 2 * sponge_width;
  for (int z = -sponge_width; z < nz_ + sponge_width; ++z) {
    const std::size_t start = index(-sponge_width, z);
    const float* __restrict field = current_.data() + start;
    const float* __restrict courant = squared_courant_.data() + start;
    const float* __restrict damping = damping_.data() + start;
    float* __restrict next = previous_.data() + start;
    for (std::ptrdiff_t x = 0; x < columns; ++x) {
      const float* point = field + x;
      const float laplacian = 2.0F * centre * point[0] +
                              near_1 * (point[1] + point[-1] + point[stride] + point[-stride]) +
                              near_2 * (point[2] + point[-2] + point[2 * stride] + point[-2 * stride]) +
                              near_3 * (point[3] + point[-3] + point[3 * stride] + point[-3 * stride]) +
                              near_4 * (point[4] + point[-4] + point[4 * stride] + point[-4 * stride]);
      next[x] = damping[x] * (2.0F * point[0] - damping[x] * next[x] + courant[x] * laplacian);
    }
  }
  std::swap(current_, previous_);
}

}  // namespace rtm_stack
