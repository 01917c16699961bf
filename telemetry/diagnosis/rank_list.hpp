// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::telemetry {

/// "rank 3", "ranks 0-2, 5"; `ranks` ascending. At most 8 runs, then "and N more".
std::string rank_list(const std::vector<int>& ranks);

}  // namespace airamp::telemetry
