// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grid.hpp"
#include "velocity_model.hpp"

namespace rtm_stack {

/// How close an image is to the true one, and what kind of image it is.
struct ImageQuality {
  double psnr_db = 0.0;          ///< 20 log10(largest |truth| / root mean square error); infinite without any error
  double crest_factor_db = 0.0;  ///< 20 log10(largest |truth| / root mean square of truth); 0 for an empty image
  double truth_norm = 0.0;       ///< L2 norm of the truth
};

/// Compares images of the same size.
ImageQuality compare(const Grid<double>& image, const Grid<double>& truth);

/// For each reflector of the model, how many cells above (negative) or below its depth the image is strongest, once the
/// traces of the inner three fifths are aligned to the reflector and averaged. `image` has the size of the model.
std::vector<int> reflector_misfits(const Grid<double>& image, const VelocityModel& model);

}  // namespace rtm_stack
