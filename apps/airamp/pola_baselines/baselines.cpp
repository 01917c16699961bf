// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_baselines/autocorrelation.hpp"
#include "apps/airamp/pola_baselines/baseline.hpp"
#include "apps/airamp/pola_baselines/edit_distance.hpp"
#include "apps/airamp/pola_baselines/same_as_last.hpp"

namespace airamp::pola {

std::vector<std::unique_ptr<Baseline>> make_baselines() {
  std::vector<std::unique_ptr<Baseline>> baselines;
  baselines.push_back(std::make_unique<SameAsLast>());
  baselines.push_back(std::make_unique<Autocorrelation>());
  baselines.push_back(std::make_unique<EditDistance>());
  return baselines;
}

}  // namespace airamp::pola
