# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Finds HIP for the plugin libairamp-hip.so; sets airamp_has_hip and defines airamp_hip_objects().
#
# AIRAMP_ENABLE_HIP: ON needs hipcc and HIP's CMake package, OFF does without, AUTO uses them where they are on PATH, in
# CMAKE_PREFIX_PATH or in /opt/rocm. The plugin is for applications that use the same release of HIP.
# AIRAMP_HIP_ARCHITECTURES: GPUs that the plugin brings code for; it runs on no others. None older than gfx90a: those may
# keep what a kernel has written from the host until it has ended, and the plugin says earlier that a result is there.

set(AIRAMP_ENABLE_HIP AUTO CACHE STRING "Build the HIP plugin: AUTO, ON or OFF")
set_property(CACHE AIRAMP_ENABLE_HIP PROPERTY STRINGS AUTO ON OFF)

set(airamp_has_hip OFF)
if(AIRAMP_ENABLE_HIP STREQUAL "AUTO" OR AIRAMP_ENABLE_HIP)
  find_program(AIRAMP_HIPCC hipcc PATHS /opt/rocm/bin)
  mark_as_advanced(AIRAMP_HIPCC)
  find_package(hip CONFIG QUIET PATHS /opt/rocm)
  if(AIRAMP_HIPCC AND hip_FOUND)
    set(airamp_has_hip ON)
    if(hip_VERSION VERSION_LESS 6)
      set(airamp_hip_architectures gfx90a)
    else()
      set(airamp_hip_architectures gfx90a gfx942)
    endif()
    set(AIRAMP_HIP_ARCHITECTURES "${airamp_hip_architectures}" CACHE STRING "GPUs of the HIP plugin")
  elseif(AIRAMP_ENABLE_HIP STREQUAL "AUTO")
    message(STATUS "No hipcc: the HIP plugin is not built (AIRAMP_ENABLE_HIP)")
  else()
    message(FATAL_ERROR "AIRAMP_ENABLE_HIP is ON, but there is no hipcc on PATH or in /opt/rocm, or no package for it")
  endif()
endif()

# Device code is a bit-exact twin of the host's: no fused multiply-add but where it is written. scripts/hip-kernels reads
# this line.
set(airamp_hip_options -std=c++20 -O3 -fPIC -fvisibility=hidden -ffp-contract=off)

# Compiles device code: airamp_hip_objects(VARIABLE sources...) sets VARIABLE to the object files. CMake's own language
# HIP wants ROCm's clang in ROCm's folders, which a distribution's packages do not have; hipcc is everywhere.
function(airamp_hip_objects variable)
  list(TRANSFORM AIRAMP_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE architectures)
  set(warnings -Wall -Wextra)
  if(AIRAMP_WARNINGS_AS_ERRORS)
    list(APPEND warnings -Werror)
  endif()
  set(launcher "")
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")  # which does not know hipcc by its name
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_COMPILERTYPE=clang ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  set(objects "")
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source STEM name)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${launcher} ${AIRAMP_HIPCC} -x hip ${architectures} ${airamp_hip_options} ${warnings}
              -I${PROJECT_SOURCE_DIR} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "Building HIP object ${name}.o" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()
