// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace airamp::command_line {

/// MPI libraries with one binary interface: there is a libairamp.so for each.
enum class MpiFamily { openmpi, mpich };

inline constexpr std::array every_mpi_family = {MpiFamily::openmpi, MpiFamily::mpich};

/// The name of its folder, and the value of --mpi.
constexpr std::string_view to_string(MpiFamily family) { return family == MpiFamily::openmpi ? "openmpi" : "mpich"; }

/// The family of a shared library, by its name as a program asks for it ("libmpi.so.40"); nothing for other libraries.
std::optional<MpiFamily> family_of_library(std::string_view name);

/// The family whose launcher has started this process, by what it has put into the environment; nothing where there is
/// none, or one that starts both, as srun does. `variable` is getenv() or stands in for it.
std::optional<MpiFamily> family_of_launcher(const char* (*variable)(const char* name));

}  // namespace airamp::command_line
