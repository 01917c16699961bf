// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::sidecar {

/// Names on stderr what was skipped: each reason once, and at most 100 of them. Not thread-safe.
class ErrorLog {
 public:
  void note(const std::vector<std::string>& errors);

 private:
  std::vector<std::string> noted_;
};

}  // namespace airamp::sidecar
