// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace airamp::benchmark {

void* open_library(const char* what, std::initializer_list<const char*> names) {
  std::string mistakes;
  for (const char* name : names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    const char* mistake = dlerror();
    mistakes += std::string("; ") + (mistake != nullptr ? mistake : name);
  }
  throw std::runtime_error(std::string(what) + ": no library could be opened" + mistakes);
}

void* function_of(void* library, const char* name) {
  if (void* symbol = dlsym(library, name)) return symbol;
  throw std::runtime_error(std::string("a library lacks the function ") + name);
}

namespace {

CudaRuntime load() {
  void* library =
      open_library("--memory device", {"libcudart.so.13", "libcudart.so.12", "/usr/local/cuda/lib64/libcudart.so.13",
                                       "/usr/local/cuda/lib/libcudart.so.13", "libcudart.so"});
  CudaRuntime runtime{};
  look_up(library, "cudaGetDeviceCount", runtime.get_device_count);
  look_up(library, "cudaSetDevice", runtime.set_device);
  look_up(library, "cudaMalloc", runtime.allocate);
  look_up(library, "cudaFree", runtime.release);
  look_up(library, "cudaMallocHost", runtime.allocate_host);
  look_up(library, "cudaFreeHost", runtime.release_host);
  look_up(library, "cudaMemcpy", runtime.copy);
  look_up(library, "cudaMemset", runtime.fill);
  look_up(library, "cudaDeviceSynchronize", runtime.synchronize);
  look_up(library, "cudaStreamCreateWithFlags", runtime.create_stream);
  look_up(library, "cudaStreamDestroy", runtime.destroy_stream);
  look_up(library, "cudaStreamSynchronize", runtime.synchronize_stream);
  look_up(library, "cudaGetErrorString", runtime.error_string);
  return runtime;
}

}  // namespace

void CudaRuntime::check(cudaError_t status, const std::string& what) const {
  if (status != cudaSuccess) throw std::runtime_error(what + ": " + error_string(status));
}

const CudaRuntime& cuda_runtime() {
  static const CudaRuntime runtime = load();
  return runtime;
}

}  // namespace airamp::benchmark
