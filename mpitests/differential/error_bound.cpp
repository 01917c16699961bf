// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/error_bound.hpp"

#include <algorithm>
#include <cmath>

namespace airamp::differential {
namespace {

double finite_magnitude(double value) { return std::isfinite(value) ? std::fabs(value) : 0.0; }

}  // namespace

Quantisation quantisation(std::string_view codec) {
  // What the floats' formats cannot keep of the largest numbers stays within their relative error.
  constexpr std::size_t byte_reach = 31, six_bit_reach = 4 * 128 + 3, four_bit_reach = 7 * 120 + 3;
  if (codec == "mxfp8-e5m2") return {0x1p-3, 0x1p-17 * 2 / 57344, 2.0, byte_reach, 0x1p-144};
  if (codec == "mxint8") return {0.0, 0x1p-7 * 2 * 64 / 126, 126.0 / 64.0, byte_reach, 0x1p-134};
  if (codec == "mxfp6-e2m3") return {0x1p-4, 0x1p-4 * 2 / 7, 2.0, six_bit_reach, 0x1p-131};
  if (codec == "mxfp6-e3m2") return {0x1p-3, 0x1p-5 * 2 / 24, 2.0, six_bit_reach, 0x1p-132};
  // Of rows that are sent as they are, a marked one's elements err by a quarter of themselves at most.
  if (codec == "mxfp4") return {0.25, 5.66 / 5 + 0x1p-2 * 2 * 32 / 6, 1.5, four_bit_reach, 0x1p-129};
  return {0x1p-4, 0x1p-10 * 2 / 448, 2.0, byte_reach, 0x1p-137};
}

std::vector<double> block_maxima(const std::vector<double>& values, std::size_t reach) {
  // Van Herk's running maximum: prefix and suffix maxima of chunks as long as the window.
  const std::size_t window = 2 * reach + 1;
  const std::size_t padded = (values.size() + 2 * reach + window - 1) / window * window;
  std::vector<double> prefix(padded, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) prefix[i + reach] = finite_magnitude(values[i]);
  std::vector<double> suffix = prefix;
  for (std::size_t i = 1; i < padded; ++i) {
    if (i % window != 0) prefix[i] = std::max(prefix[i], prefix[i - 1]);
    const std::size_t k = padded - 1 - i;
    if ((k + 1) % window != 0) suffix[k] = std::max(suffix[k], suffix[k + 1]);
  }
  std::vector<double> maxima(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) maxima[i] = std::max(suffix[i], prefix[i + window - 1]);
  return maxima;
}

std::vector<double> quantisation_errors(const std::vector<double>& values, const std::vector<double>* slack,
                                        Quantisation quantisation, Rounding rounding) {
  std::vector<double> magnitudes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    magnitudes[i] = finite_magnitude(values[i]) + (slack != nullptr ? (*slack)[i] : 0.0);
  const std::vector<double> maxima = block_maxima(magnitudes, quantisation.reach);
  std::vector<double> errors(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double lost = std::max(0.0, magnitudes[i] - quantisation.largest_significand * rounding.two_to_emax);
    const double step = lost + std::max({quantisation.relative * magnitudes[i], quantisation.absolute * maxima[i],
                                         quantisation.smallest});
    errors[i] = step + std::max(rounding.relative * (magnitudes[i] + step), rounding.absolute);
  }
  return errors;
}

}  // namespace airamp::differential
