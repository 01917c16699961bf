// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// What handles and constants of MPI are in a compiled program. The three have nothing in common: a handle of one is
/// garbage to a library of another.
enum class BinaryInterface { open_mpi, mpich, standard };

/// The one that AIRamp itself is compiled for.
#ifdef OPEN_MPI
inline constexpr BinaryInterface own_interface = BinaryInterface::open_mpi;
#else
inline constexpr BinaryInterface own_interface = BinaryInterface::mpich;
#endif

constexpr std::string_view to_string(BinaryInterface interface) {
  switch (interface) {
    case BinaryInterface::open_mpi:
      return "Open MPI";
    case BinaryInterface::mpich:
      return "MPICH";
    case BinaryInterface::standard:
      return "the standard MPI ABI";
  }
  return {};
}

/// That of the MPI library that the program uses, whose MPI_Get_library_version says `version`. Passes no handle to it,
/// so it may be asked whatever the answer is. Thread-safe.
BinaryInterface interface_of_library(std::string_view version) noexcept;

}  // namespace airamp::pmpi
