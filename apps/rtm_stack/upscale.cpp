// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "upscale.hpp"

#include <algorithm>
#include <cmath>

namespace rtm_stack {
namespace {

/// The two neighbours of a resampled coordinate and the weight of the second.
struct Interpolation {
  int first;
  int second;
  double weight;
};

Interpolation interpolate(int index, int scale, int extent) {
  const double position = std::clamp((index + 0.5) / scale - 0.5, 0.0, static_cast<double>(extent - 1));
  const int first = static_cast<int>(std::floor(position));
  return {first, std::min(first + 1, extent - 1), position - first};
}

/// std::lerp handles non-finite values, which costs several times as much.
double blend(double first, double second, double weight) { return first + weight * (second - first); }

}  // namespace

Grid<double> upscale(const Grid<double>& image, int scale) {
  if (scale == 1) return image;
  Grid<double> result(image.nx * scale, image.nz * scale);
  for (int z = 0; z < result.nz; ++z) {
    const Interpolation row = interpolate(z, scale, image.nz);
    for (int x = 0; x < result.nx; ++x) {
      const Interpolation column = interpolate(x, scale, image.nx);
      const double upper = blend(image.at(column.first, row.first), image.at(column.second, row.first), column.weight);
      const double lower =
          blend(image.at(column.first, row.second), image.at(column.second, row.second), column.weight);
      result.at(x, z) = blend(upper, lower, row.weight);
    }
  }
  return result;
}

}  // namespace rtm_stack
