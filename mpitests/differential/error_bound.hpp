// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace airamp::differential {

/// What a block-scaled element format promises for one quantisation of v in a block whose largest finite magnitude is
/// A:
///   |q(v) - v| <= max(relative * |v|, absolute * A, smallest).
/// The scale is the power of two 2^s with A / max <= 2^s < 2 * A / max (rounded up, so that nothing saturates), where
/// max is the largest element of the format. On v / 2^s the format rounds to nearest:
///   e4m3: 3 fraction bits, so half a unit in the last place is at most 2^-4 * |v|; below 2^-6 the step is 2^-9, half
///   of
///         it times 2^s < 2 * A / 448 is less than 2^-10 / 224 * A.
///   e5m2: 2^-3 * |v|; below 2^-14 the step is 2^-16, half of it times 2 * A / 57344.
///   int8: a fixed step of 2^-6 up to 126 / 64 (127 is the poison), half of it times 2 * A * 64 / 126. What is larger
///   than
///         126 / 64 * 2^emax of the element type cannot be kept and becomes that.
///   e2m3: 2^-4 * |v|; below 1 the step is 2^-3, half of it times 2 * A / 7.
///   e3m2: 2^-3 * |v|; below 2^-2 the step is 2^-4, half of it times 2 * A / 24.
///   mxfp4: what is transformed errs by the mean of its 32 coefficients' errors at most. Each is at most a fifth of the
///         coefficient or 2^-2; the mean of the coefficients is at most 32^0.5 * A, and the largest 32 * A.
struct Quantisation {
  double relative;
  double absolute;
  double largest_significand;  ///< largest finite value kept is this times 2^emax of the element type
  std::size_t reach;           ///< between the first and the last element of a block
  double smallest;             ///< half a step at the smallest scale, 2^-127, below which steps stop shrinking
};

/// The promise of a codec by its name in the settings; e4m3's for the empty name (the default).
Quantisation quantisation(std::string_view codec);

/// The element type: rounding a decoded value to it errs by at most max(relative * |v|, absolute).
struct Rounding {
  double relative;
  double absolute;
  double two_to_emax;  ///< the power of two of its largest finite value
};

/// For every i the largest |values[k]| of finite values with |k - i| <= reach: no block that holds i has a larger one,
/// wherever the blocks begin.
std::vector<double> block_maxima(const std::vector<double>& values, std::size_t reach);

/// For every element the largest error of one quantisation of `values`, rounding to the element type included.
/// Non-finite values count as zero. `slack[i]`, where given, is how far the value that is quantised may lie from
/// values[i].
std::vector<double> quantisation_errors(const std::vector<double>& values, const std::vector<double>* slack,
                                        Quantisation quantisation, Rounding rounding);

}  // namespace airamp::differential
