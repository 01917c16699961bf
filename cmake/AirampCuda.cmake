# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Finds CUDA for the plugin libairamp-cuda.so; sets airamp_has_cuda.
#
# AIRAMP_ENABLE_CUDA: ON needs nvcc, OFF does without it, AUTO uses it where it is on PATH or in /usr/local/cuda.
# AIRAMP_CUDA_ARCHITECTURES: GPUs that the plugin brings code for; those newer than the last of them compile it when it
# is loaded.

set(AIRAMP_ENABLE_CUDA AUTO CACHE STRING "Build the CUDA plugin: AUTO, ON or OFF")
set_property(CACHE AIRAMP_ENABLE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(AIRAMP_CUDA_ARCHITECTURES "80;90;100" CACHE STRING "Compute capabilities of the CUDA plugin, 80 for 8.0")

set(airamp_has_cuda OFF)
if(AIRAMP_ENABLE_CUDA STREQUAL "AUTO" OR AIRAMP_ENABLE_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(AIRAMP_NVCC nvcc PATHS /usr/local/cuda/bin)
    mark_as_advanced(AIRAMP_NVCC)
    if(AIRAMP_NVCC)
      set(CMAKE_CUDA_COMPILER ${AIRAMP_NVCC})
    endif()
  endif()
  if(CMAKE_CUDA_COMPILER)
    if(CMAKE_CXX_COMPILER_LAUNCHER AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
      set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
    endif()
    if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER)
      set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
    endif()
    # Machine code for each, and for the last one also what later GPUs can translate.
    list(TRANSFORM AIRAMP_CUDA_ARCHITECTURES APPEND -real OUTPUT_VARIABLE CMAKE_CUDA_ARCHITECTURES)
    list(POP_BACK AIRAMP_CUDA_ARCHITECTURES airamp_newest_architecture)
    list(APPEND CMAKE_CUDA_ARCHITECTURES ${airamp_newest_architecture}-virtual)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
    set(airamp_has_cuda ON)
  elseif(AIRAMP_ENABLE_CUDA STREQUAL "AUTO")
    message(STATUS "No nvcc: the CUDA plugin is not built (AIRAMP_ENABLE_CUDA)")
  else()
    message(FATAL_ERROR "AIRAMP_ENABLE_CUDA is ON, but there is no nvcc on PATH or in /usr/local/cuda")
  endif()
endif()
