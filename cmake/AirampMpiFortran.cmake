# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Sets AIRAMP_HAVE_MPI_FORTRAN, and the targets and variables of FindMPI, where this MPI library has Fortran bindings: the
# wheels of PyPI have none. Only tests and a mini-app are in Fortran.
option(AIRAMP_ENABLE_FORTRAN "Use the MPI library's Fortran bindings, where there are some" ON)
set(AIRAMP_HAVE_MPI_FORTRAN OFF)
include(CheckLanguage)
if(AIRAMP_ENABLE_FORTRAN)
  check_language(Fortran)
endif()
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  find_package(MPI QUIET OPTIONAL_COMPONENTS Fortran)
endif()
if(MPI_Fortran_FOUND)
  # Where this MPI has no Fortran wrapper, FindMPI takes that of another one: it must stand beside the C wrapper and link
  # the same library.
  cmake_path(GET MPI_C_COMPILER PARENT_PATH c_wrapper_folder)
  cmake_path(GET MPI_Fortran_COMPILER PARENT_PATH fortran_wrapper_folder)
  set(foreign_libraries ${MPI_C_LIBRARIES})
  list(REMOVE_ITEM foreign_libraries ${MPI_Fortran_LIBRARIES})
  if(NOT foreign_libraries AND c_wrapper_folder STREQUAL fortran_wrapper_folder)
    set(AIRAMP_HAVE_MPI_FORTRAN ON)
  endif()
endif()
if(AIRAMP_ENABLE_FORTRAN AND NOT AIRAMP_HAVE_MPI_FORTRAN)
  message(STATUS "No Fortran bindings of this MPI library: the tests and the mini-app in Fortran are left out")
endif()
