// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/linked_program/loaded_libraries.hpp"

#include <sstream>
#include <utility>

#include "apps/airamp/child_output.hpp"

namespace airamp::command_line {
namespace {

// A loader reads some hundred files at most; on a slow network file system each takes a while.
constexpr double longest_wait_seconds = 60;

}  // namespace

std::vector<LoadedLibrary> loaded_libraries(const std::string& loader, const std::string& path) {
  // Each line is "  NAME => FILE (ADDRESS)", "  NAME => not found" or "  FILE (ADDRESS)".
  std::istringstream lines(output_of({loader, "--list", path}, longest_wait_seconds).text);
  std::vector<LoadedLibrary> libraries;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::string arrow;
    std::string file;
    if (!(words >> name)) continue;
    words >> arrow >> file;
    if (arrow != "=>") file = name;
    if (!file.starts_with('/')) file.clear();
    libraries.push_back({.name = name.substr(name.rfind('/') + 1), .file = std::move(file)});
  }
  return libraries;
}

}  // namespace airamp::command_line
