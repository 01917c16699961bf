// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::command_line {

/// What a program's file says of how it is started.
struct ProgramFile {
  std::string loader;               ///< dynamic: the loader that it asks for (ld.so); else empty
  std::vector<std::string> needed;  ///< dynamic: names of the libraries that it asks for itself
  std::string interpreter;          ///< a script: the program of its first line; else empty
};

/// Reads `path`; all fields stay empty of what is no program of this machine, or cannot be read.
ProgramFile read_program_file(const std::string& path);

}  // namespace airamp::command_line
