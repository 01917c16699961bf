// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/error_log.hpp"

#include <algorithm>
#include <iostream>

namespace airamp::sidecar {

void ErrorLog::note(const std::vector<std::string>& errors) {
  constexpr std::size_t most = 100;
  for (const std::string& error : errors) {
    if (noted_.size() >= most || std::ranges::find(noted_, error) != noted_.end()) continue;
    std::cerr << "airampd: skipped " << error << '\n';
    noted_.push_back(error);
  }
}

}  // namespace airamp::sidecar
