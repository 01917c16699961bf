// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <initializer_list>
#include <string>

namespace airamp::benchmark {

/// A shared library of those names, the first that can be opened; it stays open. Throws std::runtime_error that begins
/// with `what`.
void* open_library(const char* what, std::initializer_list<const char*> names);

/// A function of an open library. Throws std::runtime_error.
void* function_of(void* library, const char* name);

/// The same, by its type.
template <typename Function>
void look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(function_of(library, name));
}

/// The functions of the CUDA runtime that the benchmark calls, from a library opened at run time.
struct CudaRuntime {
  decltype(&::cudaGetDeviceCount) get_device_count;
  decltype(&::cudaSetDevice) set_device;
  cudaError_t (*allocate)(void**, std::size_t);
  decltype(&::cudaFree) release;
  cudaError_t (*allocate_host)(void**, std::size_t);
  decltype(&::cudaFreeHost) release_host;
  decltype(&::cudaMemcpy) copy;
  decltype(&::cudaMemset) fill;
  decltype(&::cudaDeviceSynchronize) synchronize;
  decltype(&::cudaStreamCreateWithFlags) create_stream;
  decltype(&::cudaStreamDestroy) destroy_stream;
  decltype(&::cudaStreamSynchronize) synchronize_stream;
  decltype(&::cudaGetErrorString) error_string;

  /// Throws std::runtime_error with `what` unless `status` is success.
  void check(cudaError_t status, const std::string& what) const;
};

/// Opened on the first call. Throws std::runtime_error if there is no such library.
const CudaRuntime& cuda_runtime();

}  // namespace airamp::benchmark
