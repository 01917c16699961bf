// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/doctor/verdict.hpp"

namespace airamp::doctor {

/// What a check found, for people.
struct Finding {
  Verdict verdict = Verdict::not_known;
  std::string found;   ///< one line
  std::string advice;  ///< how to mend it; empty where there is nothing to mend
};

}  // namespace airamp::doctor
