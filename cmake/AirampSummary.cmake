# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# What is built and what is not, at the end of the configuration: one line for each feature.

# airamp_feature(NAME IS-THERE WITHOUT): WITHOUT says why it is not there, or what is then different.
function(airamp_feature name is_there without)
  string(LENGTH "${name}" length)
  math(EXPR spaces "20 - ${length}")
  string(REPEAT " " ${spaces} padding)
  if(is_there)
    set(answer yes)
  else()
    set(answer "no: ${without}")
  endif()
  message(STATUS "  ${name}${padding}${answer}")
endfunction()

message(STATUS "AIRamp ${PROJECT_VERSION} for ${MPI_C_COMPILER} (${AIRAMP_MPI_FAMILY}), to be installed in "
               "${CMAKE_INSTALL_PREFIX}")
airamp_feature("NVIDIA GPUs" "${airamp_has_cuda}" "no nvcc, or AIRAMP_ENABLE_CUDA=OFF")
airamp_feature("AMD GPUs" "${airamp_has_hip}" "no hipcc, or AIRAMP_ENABLE_HIP=OFF")
set(is_there OFF)
if(TARGET airamp_highway)
  set(is_there ON)
endif()
airamp_feature("SIMD compression" "${is_there}" "no Highway 1.0 or later; lossy paths on host memory are slow")
airamp_feature("static libstdc++" "${AIRAMP_HAVE_STATIC_LIBSTDCXX}"
               "only for programs with this compiler's C++ library, or a later one")
set(is_there OFF)
if(TARGET airampd)
  set(is_there ON)
endif()
airamp_feature("airampd" "${is_there}" "no OpenSSL or no Boost 1.74 or later, or AIRAMP_BUILD_APPS=OFF")
airamp_feature("GPU affinity" "${AIRAMP_HWLOC_INCLUDE_DIR}" "no hwloc.h; airamp doctor does not say what is nearest to GPUs")
airamp_feature("Fortran mini-app" "${AIRAMP_HAVE_MPI_FORTRAN}"
               "no Fortran bindings of this MPI library, or AIRAMP_ENABLE_FORTRAN=OFF")
airamp_feature("tests" "${AIRAMP_BUILD_TESTS}" "AIRAMP_BUILD_TESTS=OFF")
airamp_feature("benchmarks" "${AIRAMP_BUILD_BENCHMARKS}"
               "AIRAMP_BUILD_BENCHMARKS=OFF; airamp_bench comes with the tools")
