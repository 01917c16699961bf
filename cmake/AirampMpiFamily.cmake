# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Sets AIRAMP_MPI_FAMILY to openmpi or mpich (with its derivatives): the libraries of a family have one binary interface.
# Which it is stands in mpi.h.
include(CheckSymbolExists)

if(NOT AIRAMP_MPI_FAMILY)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  check_symbol_exists(OPEN_MPI mpi.h AIRAMP_MPI_IS_OPENMPI)
  check_symbol_exists(MPICH_NUMVERSION mpi.h AIRAMP_MPI_IS_MPICH)
  check_symbol_exists(I_MPI_NUMVERSION mpi.h AIRAMP_MPI_IS_INTEL)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(AIRAMP_MPI_IS_OPENMPI)
    set(family openmpi)
  elseif(AIRAMP_MPI_IS_MPICH OR AIRAMP_MPI_IS_INTEL)
    set(family mpich)
  else()
    message(FATAL_ERROR "This mpi.h is neither Open MPI's nor MPICH's (or a derivative's): ${MPI_C_HEADER_DIR}. If it "
                        "has the binary interface of one of them, set AIRAMP_MPI_FAMILY to openmpi or mpich.")
  endif()
endif()
set(AIRAMP_MPI_FAMILY ${family} CACHE STRING "Whose binary interface the MPI library has: openmpi or mpich")
set_property(CACHE AIRAMP_MPI_FAMILY PROPERTY STRINGS openmpi mpich)
