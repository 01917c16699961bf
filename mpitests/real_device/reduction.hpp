// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mpitests/differential/error_bound.hpp"
#include "mpitests/real_device/element.hpp"

namespace airamp::gpu_tests {

/// A reduction computed independently on the host.
struct Reduction {
  Format format;
  Meaning meaning;
  std::size_t count;
  const std::vector<std::vector<std::byte>>& inputs;  ///< of the ranks, `count` elements each
  bool exact_sums;                                    ///< every order of adding gives the exact sum

  /// What is wrong with `got`, empty if nothing is. With `quantisation` every input and the result may have been
  /// quantised once.
  std::string compare_floats(const std::byte* got, const differential::Quantisation* quantisation) const;
  std::string compare_integers(const std::byte* got) const;
};

/// Rounding to the format, as the bounds of quantisations take it.
differential::Rounding rounding_of(Format format);

/// Says which element is wrong.
std::string mistake_at(std::size_t index, double expected, double got);

}  // namespace airamp::gpu_tests
