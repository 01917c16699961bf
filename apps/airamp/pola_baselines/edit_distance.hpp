// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "apps/airamp/pola_baselines/baseline.hpp"

namespace airamp::pola {

/// The period at which the latest 50 events differ least, by edit distance, from those before, in the manner of GEOPM's
/// edit-distance record filter as its manual describes it: of a history of 100 events, with hysteresis. They may differ
/// in up to five edits, and in fewer than the period, which a mere shift would take. A period of at least 4 events
/// becomes stable once it has been the answer for 1.0 periods, and stops being stable once it has not been for 1.5
/// periods. Predicts while stable.
class EditDistance : public Baseline {
 public:
  std::string_view name() const override { return "edit distance"; }
  std::optional<Signature> expected() const override;
  void observe(Signature signature) override;

 private:
  static constexpr std::size_t history = 100;
  static constexpr std::size_t window = history / 2;
  static constexpr std::size_t max_edits = 5;
  static constexpr std::size_t smallest_stable_period = 4;
  static constexpr double stable_after = 1.0;
  static constexpr double unstable_after = 1.5;

  std::size_t best_period() const;

  std::vector<Signature> events_;
  std::size_t candidate_ = 0;  ///< the answer of late
  std::size_t candidate_events_ = 0;
  std::size_t stable_ = 0;  ///< 0 is none
  std::size_t events_against_ = 0;
};

}  // namespace airamp::pola
