// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/agreement_gate.hpp"

#include <algorithm>

namespace airamp::tuner {

void AgreementGate::keep_asking() {
  in_vain_ = 0;
  pause_ = 0;
  skipped_ = 0;
  left_ = 0;
}

void AgreementGate::back_off(const Patience& patience) {
  ++in_vain_;
  pause_ = in_vain_ <= patience.answers ? 0 : std::clamp<std::uint64_t>(2 * pause_, 1, patience.longest_pause);
  skipped_ = 0;
  left_ = pause_;
}

void AgreementGate::pause(std::uint64_t calls) {
  skipped_ = 0;
  left_ = calls;
}

}  // namespace airamp::tuner
