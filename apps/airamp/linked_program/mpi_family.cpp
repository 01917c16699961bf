// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/linked_program/mpi_family.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace airamp::command_line {
namespace {

bool is_any_set(const char* (*variable)(const char* name), std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [variable](const char* name) { return variable(name) != nullptr; });
}

}  // namespace

std::optional<MpiFamily> family_of_library(std::string_view name) {
  // Debian's MPICH has a name of its own: libmpich.so.12, libmpichfort.so.12.
  if (name.starts_with("libmpich")) return MpiFamily::mpich;
  if (!name.starts_with("libmpi")) return {};
  const std::size_t version = name.find(".so.");
  if (version == std::string_view::npos) return {};
  // Their binary interfaces are told apart by this number: Open MPI's is 40 since 4.0, that of the MPICH ABI
  // Compatibility Initiative (Intel MPI, Cray MPICH, MVAPICH) is 12.
  const std::string_view number = name.substr(version + 4);
  if (number == "40" || number.starts_with("40.")) return MpiFamily::openmpi;
  if (number == "12" || number.starts_with("12.")) return MpiFamily::mpich;
  return {};
}

std::optional<MpiFamily> family_of_launcher(const char* (*variable)(const char* name)) {
  if (is_any_set(variable, {"OMPI_COMM_WORLD_SIZE"})) return MpiFamily::openmpi;
  // Hydra's, MVAPICH's.
  if (is_any_set(variable, {"HYDI_CONTROL_FD", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_SIZE", "MVP_COMM_WORLD_SIZE"})) {
    return MpiFamily::mpich;
  }
  return {};
}

}  // namespace airamp::command_line
