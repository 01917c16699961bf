// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/mpi_family/linked_family.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "apps/airamp/mpi_family/loaded_libraries.hpp"
#include "apps/airamp/mpi_family/program_file.hpp"

namespace airamp::command_line {
namespace {

// As many as Linux follows from script to script.
constexpr int max_interpreters = 5;

std::optional<MpiFamily> family_among(const std::vector<std::string>& libraries) {
  for (const std::string& library : libraries) {
    if (const auto family = family_of_library(library)) return family;
  }
  return {};
}

}  // namespace

std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (folder.empty() ? "." : folder) + '/' + program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::optional<MpiFamily> linked_family(const std::string& program) {
  std::string path = find_program(program);
  ProgramFile file = read_program_file(path);
  for (int i = 0; i < max_interpreters && !file.interpreter.empty(); ++i) {
    path = find_program(file.interpreter);
    file = read_program_file(path);
  }
  const auto family = family_among(file.needed);
  // The loader knows where other libraries lie, and what they need in turn.
  return family || file.loader.empty() ? family : family_among(loaded_libraries(file.loader, path));
}

}  // namespace airamp::command_line
