// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace airamp::telemetry {

/// Hands the names in an open folder but "." and ".." to `visit`, in no order, until it returns false.
void visit_entries(int descriptor, const std::function<bool(const char* name)>& visit);

/// The names in an open folder but "." and "..", sorted; at most `most` of them. Empty if it cannot be read.
std::vector<std::string> folder_entries(int descriptor, std::size_t most = 65536);

}  // namespace airamp::telemetry
