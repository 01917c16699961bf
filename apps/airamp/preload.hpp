// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "apps/airamp/linked_program/mpi_family.hpp"

namespace airamp::command_line {

/// Where libairamp.so is.
struct Library {
  std::string path;     ///< absolute; empty if it was not found
  std::string trouble;  ///< why it was not found, for people
};

/// What `airamp exec` was told of it.
struct LibraryChoice {
  std::string file;                 ///< --library; empty if it was not given
  std::optional<MpiFamily> family;  ///< --mpi
  std::string program;              ///< which is to be started; may be empty
};

/// Finds libairamp.so: the file that was given, else relative to this program, as installed and as built. Where it is
/// installed for both families of MPI libraries, the one that was given decides, else that which the program is linked
/// with, else that of the launcher.
Library find_library(const LibraryChoice& choice);

/// The value of LD_PRELOAD with `library` at its end. Profilers that are already there stay in front: listed after
/// AIRamp they would see nothing. A `before` that already has the library is returned as it is.
std::string appended_preload(const std::string& before, const std::string& library);

/// The same of a library that has to be loaded before all others, at its beginning.
std::string prepended_preload(const std::string& before, const std::string& library);

}  // namespace airamp::command_line
