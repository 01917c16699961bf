// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace airamp::benchmark {

/// Elements begin ... begin + count - 1 of a vector.
struct Run {
  std::size_t begin;
  std::size_t count;
};

/// Which of `elements` elements are compared with the exact result, in ascending order: all of two million or fewer,
/// otherwise both ends and more than a million between them, in short runs at places that follow no pattern.
std::vector<Run> sampled_runs(std::size_t elements);

}  // namespace airamp::benchmark
