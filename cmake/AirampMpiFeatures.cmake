# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# What this MPI library has beyond MPI 3.1: the list airamp_mpi_features, of compile definitions. The library offers the
# application no function that its MPI library does not have: programs look for them and then call them.
include(CheckSymbolExists)

set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(MPI_Allreduce_c mpi.h AIRAMP_MPI_HAS_LARGE_COUNT)
check_symbol_exists(MPI_Allreduce_init mpi.h AIRAMP_MPI_HAS_PERSISTENT_COLLECTIVES)
check_symbol_exists(MPIX_Allreduce_init "mpi.h;mpi-ext.h" AIRAMP_MPI_HAS_PERSISTENT_EXTENSION)
check_symbol_exists(MPI_Request_get_status_all mpi.h AIRAMP_MPI_HAS_STATUS_OF_SEVERAL)
check_symbol_exists(MPI_Session_init mpi.h AIRAMP_MPI_HAS_SESSIONS)
# Open MPI's alone: some of MPICH's devices do not survive the death of a rank.
check_symbol_exists(MPIX_Comm_revoke "mpi.h;mpi-ext.h" AIRAMP_MPI_HAS_FAULT_TOLERANCE)
unset(CMAKE_REQUIRED_LIBRARIES)
foreach(feature FAULT_TOLERANCE LARGE_COUNT PERSISTENT_COLLECTIVES PERSISTENT_EXTENSION SESSIONS STATUS_OF_SEVERAL)
  if(AIRAMP_MPI_HAS_${feature})
    list(APPEND airamp_mpi_features AIRAMP_MPI_HAS_${feature}=1)
  endif()
endforeach()
