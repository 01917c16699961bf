// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::telemetry {

/// The names in an open folder but "." and "..", sorted; at most 65536 of them. Empty if it cannot be read.
std::vector<std::string> folder_entries(int descriptor);

}  // namespace airamp::telemetry
