// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "apps/airamp/linked_program/mpi_family.hpp"

namespace airamp::command_line {

/// The family of the MPI library that `program` is linked with, itself or through other libraries; of a script, that of
/// its interpreter. Nothing where there is none: of a static program, a shell, Python.
std::optional<MpiFamily> linked_family(const std::string& program);

/// The MPI library that a program is linked with.
struct LinkedMpiLibrary {
  MpiFamily family;
  std::string file;  ///< that would be loaded; empty if none was found
};

/// The same, and which file the loader would take.
std::optional<LinkedMpiLibrary> linked_mpi_library(const std::string& program);

}  // namespace airamp::command_line
