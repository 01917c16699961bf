// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::command_line {

/// Where libairamp.so is.
struct Library {
  std::string path;                 ///< absolute; empty if it was not found
  std::vector<std::string> places;  ///< every place that was looked at, in order
};

/// Finds libairamp.so: `given` if that is not empty, else relative to this program, as installed and as built.
Library find_library(const std::string& given);

/// The value of LD_PRELOAD with `library` at its end. Profilers that are already there stay in front: listed after
/// AIRamp they would see nothing. A `before` that already has the library is returned as it is.
std::string appended_preload(const std::string& before, const std::string& library);

}  // namespace airamp::command_line
