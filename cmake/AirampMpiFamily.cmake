# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Sets AIRAMP_MPI_FAMILY to openmpi or mpich (with its derivatives), or to nothing where mpi.h is neither's: the libraries
# of a family have one binary interface. Installed, for clients of the package.
include(CheckSymbolExists)

if(NOT AIRAMP_MPI_FAMILY)
  if(TARGET MPI::MPI_C)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  endif()
  check_symbol_exists(OPEN_MPI mpi.h AIRAMP_MPI_IS_OPENMPI)
  check_symbol_exists(MPICH_NUMVERSION mpi.h AIRAMP_MPI_IS_MPICH)
  check_symbol_exists(I_MPI_NUMVERSION mpi.h AIRAMP_MPI_IS_INTEL)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(AIRAMP_MPI_IS_OPENMPI)
    set(AIRAMP_MPI_FAMILY openmpi)
  elseif(AIRAMP_MPI_IS_MPICH OR AIRAMP_MPI_IS_INTEL)
    set(AIRAMP_MPI_FAMILY mpich)
  endif()
endif()
