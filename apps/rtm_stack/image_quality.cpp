// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "image_quality.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace rtm_stack {

ImageQuality compare(const Grid<double>& image, const Grid<double>& truth) {
  double peak = 0.0;
  double squares = 0.0;
  double squared_error = 0.0;
  for (std::size_t pixel = 0; pixel < truth.values.size(); ++pixel) {
    const double error = image.values[pixel] - truth.values[pixel];
    peak = std::max(peak, std::abs(truth.values[pixel]));
    squares += truth.values[pixel] * truth.values[pixel];
    squared_error += error * error;
  }
  const auto pixels = static_cast<double>(truth.values.size());
  return {.psnr_db = squared_error > 0.0 ? 20.0 * std::log10(peak / std::sqrt(squared_error / pixels))
                                         : std::numeric_limits<double>::infinity(),
          .crest_factor_db = squares > 0.0 ? 20.0 * std::log10(peak / std::sqrt(squares / pixels)) : 0.0,
          .truth_norm = std::sqrt(squares)};
}

std::vector<int> reflector_misfits(const Grid<double>& image, const VelocityModel& model) {
  const int reach = image.nz / 12;  // less than the distance between two reflectors
  std::vector<int> misfits;
  for (const std::vector<double>& depths : model.reflector_depths) {
    double strongest = -1.0;
    int misfit = 0;
    for (int offset = -reach; offset <= reach; ++offset) {
      double sum = 0.0;
      for (int x = image.nx / 5; x < image.nx - image.nx / 5; ++x) {
        const int z = static_cast<int>(std::lround(depths[static_cast<std::size_t>(x)])) + offset;
        sum += image.at(x, std::clamp(z, 0, image.nz - 1));
      }
      if (std::abs(sum) > strongest) {
        strongest = std::abs(sum);
        misfit = offset;
      }
    }
    misfits.push_back(misfit);
  }
  return misfits;
}

}  // namespace rtm_stack
