// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/linked_program/linked_family.hpp"

#include <vector>

#include "apps/airamp/linked_program/loaded_libraries.hpp"
#include "apps/airamp/linked_program/loaded_program.hpp"

namespace airamp::command_line {
namespace {

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

std::optional<MpiFamily> linked_family(const std::string& program) {
  const LoadedProgram loaded = loaded_program(program);
  if (const auto family = family_among(loaded.file.needed)) return family;
  if (loaded.file.loader.empty()) return {};
  // The loader knows where other libraries lie, and what they need in turn.
  const auto library = library_among(loaded_libraries(loaded.file.loader, loaded.path));
  return library ? std::optional(library->family) : std::nullopt;
}

std::optional<LinkedMpiLibrary> linked_mpi_library(const std::string& program) {
  const LoadedProgram loaded = loaded_program(program);
  if (loaded.file.loader.empty()) return {};
  auto library = library_among(loaded_libraries(loaded.file.loader, loaded.path));
  if (library) return library;
  // Where a library is missing, some loaders list none.
  const auto family = family_among(loaded.file.needed);
  return family ? std::optional(LinkedMpiLibrary{*family, {}}) : std::nullopt;
}

}  // namespace airamp::command_line
