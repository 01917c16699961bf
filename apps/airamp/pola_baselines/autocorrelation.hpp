// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "apps/airamp/pola_baselines/baseline.hpp"

namespace airamp::pola {

/// A fixed period from the autocorrelation of the latest events, in the manner of Freitag, Corbalan and Labarta ("A
/// dynamic periodicity detector", IPDPS 2001): the smallest distance at which most of the latest 256 events equal their
/// predecessors, looked for after every event, up to 128. Predicts while nine of ten do.
class Autocorrelation : public Baseline {
 public:
  std::string_view name() const override { return "autocorrelation"; }
  std::optional<Signature> expected() const override;
  void observe(Signature signature) override;

 private:
  static constexpr std::size_t window = 256;
  static constexpr std::size_t longest_period = 128;

  std::vector<Signature> events_;
  std::vector<std::size_t> matches_ = std::vector<std::size_t>(longest_period + 1);  ///< by distance, in the window
  std::size_t period_ = 0;                                                           ///< 0 is none
};

}  // namespace airamp::pola
