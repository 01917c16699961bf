// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/short_steps.hpp"

namespace airamp::tuner {
namespace {

/// What fewer take says nothing.
constexpr std::uint64_t least_of_run = 4;
/// For what a program did long ago not to count.
constexpr std::uint64_t most_of_run = 512;

}  // namespace

void ShortSteps::end(std::uint64_t steps, double now) noexcept {
  if (ended_ == 0) since_ = now;
  if (ended_ >= least_of_run) are_short_ = now - since_ < least_ * static_cast<double>(ended_ * steps);
  ended_ = (ended_ + 1) % most_of_run;
}

}  // namespace airamp::tuner
