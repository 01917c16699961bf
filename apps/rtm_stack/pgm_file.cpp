// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pgm_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace rtm_stack {

void write_pgm(const Grid<double>& image, const std::string& file) {
  double squares = 0.0;
  for (const double value : image.values) squares += value * value;
  const double limit = squares > 0.0 ? 3.0 * std::sqrt(squares / static_cast<double>(image.values.size())) : 1.0;
  std::string pixels(image.values.size(), '\0');
  std::ranges::transform(image.values, pixels.begin(), [limit](double value) {
    const double grey = 127.5 + 127.5 * std::clamp(value / limit, -1.0, 1.0);
    return static_cast<char>(static_cast<unsigned char>(std::lround(grey)));
  });
  std::ofstream stream(file, std::ios::binary);
  stream << "P5\n" << image.nx << ' ' << image.nz << "\n255\n" << pixels;
  stream.close();
  if (!stream) throw std::runtime_error(file + ": the image cannot be written");
}

}  // namespace rtm_stack
