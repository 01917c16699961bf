// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::command_line {

/// Names of all libraries that `loader` (ld.so) would load for the program `path`, by the loader's own account; none if
/// it does not give one. Nothing of the program is executed.
std::vector<std::string> loaded_libraries(const std::string& loader, const std::string& path);

}  // namespace airamp::command_line
