// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::command_line {

/// A shared library that a program is loaded with.
struct LoadedLibrary {
  std::string name;  ///< as it is asked for, without a folder: "libmpi.so.40"
  std::string file;  ///< that would be loaded; empty if none was found
};

/// All libraries that `loader` (ld.so) would load for the program `path`, by the loader's own account; none if it does
/// not give one. Nothing of the program is executed.
std::vector<LoadedLibrary> loaded_libraries(const std::string& loader, const std::string& path);

}  // namespace airamp::command_line
