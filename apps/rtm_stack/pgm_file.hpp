// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grid.hpp"

namespace rtm_stack {

/// Writes the image as an 8-bit PGM file: zero is middle grey, three root mean squares are black or white.
/// Throws std::runtime_error if the file cannot be written.
void write_pgm(const Grid<double>& image, const std::string& file);

}  // namespace rtm_stack
