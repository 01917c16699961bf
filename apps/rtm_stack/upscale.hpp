// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grid.hpp"

namespace rtm_stack {

/// The image resampled to `scale` times as many pixels in each direction, by bilinear interpolation; the operation is
/// linear, so images may be stacked before or after it. `scale` >= 1.
Grid<double> upscale(const Grid<double>& image, int scale);

}  // namespace rtm_stack
