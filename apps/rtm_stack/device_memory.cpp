// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "device_memory.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace rtm_stack {
namespace {

constexpr int copy_in_any_direction = 4;  // cudaMemcpyDefault

void* open_runtime() {
  for (const char* name :
       {"libcudart.so.13", "libcudart.so.12", "libcudart.so", "/usr/local/cuda/lib64/libcudart.so"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  throw std::runtime_error("--device: there is no CUDA runtime (libcudart.so)");
}

template <typename Function>
void look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("--device: the CUDA runtime lacks ") + name);
}

void require(int status, const char* what) {
  if (status != 0)
    throw std::runtime_error(std::string("--device: ") + what + ": CUDA error " + std::to_string(status));
}

}  // namespace

DeviceMemory::DeviceMemory(int local_rank) {
  void* library = open_runtime();
  int (*count_devices)(int*) = nullptr;
  int (*set_device)(int) = nullptr;
  look_up(library, "cudaGetDeviceCount", count_devices);
  look_up(library, "cudaSetDevice", set_device);
  look_up(library, "cudaMalloc", allocate_);
  look_up(library, "cudaFree", release_);
  look_up(library, "cudaMemcpy", copy_);
  look_up(library, "cudaDeviceSynchronize", synchronize_);
  int devices = 0;
  require(count_devices(&devices), "there is no GPU");
  if (devices == 0) throw std::runtime_error("--device: there is no GPU");
  require(set_device(local_rank % devices), "cudaSetDevice");
}

DeviceMemory::Buffer DeviceMemory::allocate(std::size_t bytes) const {
  void* data = nullptr;
  require(allocate_(&data, bytes), "cudaMalloc");
  return {data, Release{release_}};
}

void DeviceMemory::copy(void* to, const void* from, std::size_t bytes) const {
  require(copy_(to, from, bytes, copy_in_any_direction), "cudaMemcpy");
  require(synchronize_(), "cudaDeviceSynchronize");
}

int local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  return 0;
}

}  // namespace rtm_stack
