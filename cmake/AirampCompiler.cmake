# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# What the C++ compiler must be able to do, and airamp_static_libstdcxx: whether it can link its C++ library statically.
include(CheckCXXSourceCompiles)

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
  message(FATAL_ERROR "${CMAKE_CXX_COMPILER} is GCC ${CMAKE_CXX_COMPILER_VERSION}; AIRamp needs GCC 11 or later. Name "
                      "another one with CMAKE_CXX_COMPILER: what is built still works with programs of older compilers.")
endif()

set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++)
check_cxx_source_compiles("#include <string>\nint main(int n, char**) { return std::to_string(n).size() > 9; }"
                          AIRAMP_HAVE_STATIC_LIBSTDCXX)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
set(airamp_static_libstdcxx "")
if(AIRAMP_HAVE_STATIC_LIBSTDCXX)
  set(airamp_static_libstdcxx -static-libstdc++)
else()
  message(STATUS "No static libstdc++ (Red Hat: libstdc++-static): programs with an older C++ library than the "
                 "compiler's cannot load AIRamp")
endif()
