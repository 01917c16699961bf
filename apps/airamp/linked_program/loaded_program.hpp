// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/linked_program/program_file.hpp"

namespace airamp::command_line {

/// A program that is loaded, and what its file says.
struct LoadedProgram {
  std::string path;  ///< empty if there is none
  ProgramFile file;
};

/// What is loaded when `program` is started as execvp() does it: of a script, its interpreter.
LoadedProgram loaded_program(const std::string& program);

}  // namespace airamp::command_line
