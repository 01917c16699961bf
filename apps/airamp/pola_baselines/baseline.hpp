// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "pola/signature.hpp"

namespace airamp::pola {

/// Another way to predict the next call, to measure Stream against. One object per communicator.
class Baseline {
 public:
  virtual ~Baseline() = default;

  virtual std::string_view name() const = 0;

  /// The signature that is predicted for the next call; none while the method does not predict.
  virtual std::optional<Signature> expected() const = 0;

  virtual void observe(Signature signature) = 0;
};

/// One of each, in a fixed order.
std::vector<std::unique_ptr<Baseline>> make_baselines();

}  // namespace airamp::pola
