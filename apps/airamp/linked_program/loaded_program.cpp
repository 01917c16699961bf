// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/linked_program/loaded_program.hpp"

#include "apps/airamp/linked_program/find_program.hpp"

namespace airamp::command_line {
namespace {

// As many as Linux follows from script to script.
constexpr int max_interpreters = 5;

}  // namespace

LoadedProgram loaded_program(const std::string& program) {
  LoadedProgram loaded{.path = find_program(program), .file = {}};
  loaded.file = read_program_file(loaded.path);
  for (int i = 0; i < max_interpreters && !loaded.file.interpreter.empty(); ++i) {
    loaded.path = find_program(loaded.file.interpreter);
    loaded.file = read_program_file(loaded.path);
  }
  return loaded;
}

}  // namespace airamp::command_line
