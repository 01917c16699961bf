// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/neighbours/driver.hpp"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace airamp::gpu_tests {

void* driver_function(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  void* const function = library != nullptr ? dlsym(library, name) : nullptr;
  if (function == nullptr) {
    std::fprintf(stderr, "the CUDA driver lacks %s\n", name);
    std::abort();  // not MPI_Abort: MPI may have been finalized
  }
  return function;
}

bool primary_context_active(int device) {
  static const auto state =
      reinterpret_cast<decltype(&cuDevicePrimaryCtxGetState)>(driver_function("cuDevicePrimaryCtxGetState"));
  unsigned flags = 0;
  int active = 0;
  return state(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

}  // namespace airamp::gpu_tests
