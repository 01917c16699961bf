// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/binary_interface.hpp"

#include "pmpi/mpi/native_library.hpp"

namespace airamp::pmpi {

BinaryInterface interface_of_library(std::string_view version) noexcept {
  // MPICH's two libraries have the same version. One that has not the standard's interface answers -1 (MPI-5.0, 20.2).
  int major = -1;
  int minor = -1;
  const auto abi_version = reinterpret_cast<int (*)(int*, int*)>(native_function("PMPI_Abi_get_version"));
  if (abi_version != nullptr && abi_version(&major, &minor) == MPI_SUCCESS && major > 0) {
    return BinaryInterface::standard;
  }
  return version.find("Open MPI") != std::string_view::npos ? BinaryInterface::open_mpi : BinaryInterface::mpich;
}

}  // namespace airamp::pmpi
