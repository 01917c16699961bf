// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/airamp/pola_baselines/baseline.hpp"

namespace airamp::pola {

/// Predicts the call that came last.
class SameAsLast : public Baseline {
 public:
  std::string_view name() const override { return "same as last"; }
  std::optional<Signature> expected() const override { return last_; }
  void observe(Signature signature) override { last_ = signature; }

 private:
  std::optional<Signature> last_;
};

}  // namespace airamp::pola
