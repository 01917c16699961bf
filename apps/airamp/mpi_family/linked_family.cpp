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

/// A program that is loaded, and what its file says.
struct Loaded {
  std::string path;
  ProgramFile file;
};

/// Of a script, its interpreter.
Loaded loaded_for(const std::string& program) {
  Loaded loaded{.path = find_program(program), .file = {}};
  loaded.file = read_program_file(loaded.path);
  for (int i = 0; i < max_interpreters && !loaded.file.interpreter.empty(); ++i) {
    loaded.path = find_program(loaded.file.interpreter);
    loaded.file = read_program_file(loaded.path);
  }
  return loaded;
}

std::optional<MpiFamily> family_among(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (const auto family = family_of_library(name)) return family;
  }
  return {};
}

/// The MPI library among those that the loader names.
std::optional<LinkedMpiLibrary> library_among(const std::vector<LoadedLibrary>& libraries) {
  for (const LoadedLibrary& library : libraries) {
    if (const auto family = family_of_library(library.name)) return LinkedMpiLibrary{*family, library.file};
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
  const Loaded loaded = loaded_for(program);
  if (const auto family = family_among(loaded.file.needed)) return family;
  if (loaded.file.loader.empty()) return {};
  // The loader knows where other libraries lie, and what they need in turn.
  const auto library = library_among(loaded_libraries(loaded.file.loader, loaded.path));
  return library ? std::optional(library->family) : std::nullopt;
}

std::optional<LinkedMpiLibrary> linked_mpi_library(const std::string& program) {
  const Loaded loaded = loaded_for(program);
  if (loaded.file.loader.empty()) return {};
  auto library = library_among(loaded_libraries(loaded.file.loader, loaded.path));
  if (library) return library;
  // Where a library is missing, some loaders list none.
  const auto family = family_among(loaded.file.needed);
  return family ? std::optional(LinkedMpiLibrary{*family, {}}) : std::nullopt;
}

}  // namespace airamp::command_line
