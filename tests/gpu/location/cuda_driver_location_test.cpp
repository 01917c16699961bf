// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Memory of every kind that CUDA has, with its real driver.
#include <cuda.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gpu/location.hpp"

namespace {

using airamp::gpu::host_has_gpu;
using airamp::gpu::locate;
using airamp::gpu::Location;
using airamp::gpu::Memory;
using airamp::gpu::Platform;

constexpr std::size_t bytes = std::size_t{2} << 20;

void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

void check(CUresult result) {
  if (result != CUDA_SUCCESS) throw std::runtime_error("driver error " + std::to_string(result));
}

/// A function of the driver, which the tests do not link with.
template <typename Function>
Function driver_function(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &function, CUDART_VERSION, cudaEnableDefault, &found));
  return reinterpret_cast<Function>(function);
}

/// Looks at a pointer from a thread that has never used CUDA, too.
Location locate_everywhere(const void* pointer) {
  const Location here = locate(pointer);
  Location there;
  std::thread([&] { there = locate(pointer); }).join();
  EXPECT_EQ(here, there);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  return here;
}

class CudaDriverLocation : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "there is no GPU";
    }
    check(cudaSetDevice(0));
    check(cudaFree(nullptr));
    check(driver_function<decltype(&cuCtxGetCurrent)>("cuCtxGetCurrent")(&context_));
  }

  Location device_memory() const { return {Memory::device, Platform::cuda, 0, context_}; }

  CUcontext context_ = nullptr;
};

TEST_F(CudaDriverLocation, host_memory) {
  const std::vector<char> pageable(bytes);
  std::vector<char> registered(bytes);
  void* pinned = nullptr;
  check(cudaHostAlloc(&pinned, bytes, cudaHostAllocMapped));
  check(cudaHostRegister(registered.data(), registered.size(), cudaHostRegisterDefault));
  EXPECT_EQ(locate_everywhere(pageable.data()), Location{});
  EXPECT_EQ(locate_everywhere(pinned), Location{});
  EXPECT_EQ(locate_everywhere(registered.data() + bytes / 2), Location{});
  check(cudaHostUnregister(registered.data()));
  check(cudaFreeHost(pinned));
  EXPECT_TRUE(host_has_gpu());
}

TEST_F(CudaDriverLocation, device_memory) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes));
  EXPECT_EQ(locate_everywhere(static_cast<char*>(memory) + bytes - 1), device_memory());
  check(cudaFree(memory));
  EXPECT_EQ(locate_everywhere(memory), Location{});
}

TEST_F(CudaDriverLocation, managed_memory) {
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, bytes));
  int concurrent = 0;
  check(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  const Location usable{Memory::managed, Platform::cuda, 0, context_};
  EXPECT_EQ(locate_everywhere(memory), concurrent != 0 ? usable : Location{.memory = Memory::managed});
  check(cudaFree(memory));
}

TEST_F(CudaDriverLocation, memory_of_a_pool) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, nullptr));
  check(cudaStreamSynchronize(nullptr));
  EXPECT_EQ(locate_everywhere(memory), device_memory());
  check(cudaFreeAsync(memory, nullptr));
}

TEST_F(CudaDriverLocation, mapped_memory) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
  CUmemGenericAllocationHandle handle{};
  CUdeviceptr address = 0;
  check(driver_function<decltype(&cuMemCreate)>("cuMemCreate")(&handle, bytes, &properties, 0));
  check(driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve")(&address, bytes, 0, 0, 0));
  check(driver_function<decltype(&cuMemMap)>("cuMemMap")(address, bytes, 0, handle, 0));
  EXPECT_EQ(locate_everywhere(reinterpret_cast<const void*>(address)), device_memory());
  check(driver_function<decltype(&cuMemUnmap)>("cuMemUnmap")(address, bytes));
  check(driver_function<decltype(&cuMemAddressFree)>("cuMemAddressFree")(address, bytes));
  check(driver_function<decltype(&cuMemRelease)>("cuMemRelease")(handle));
}

}  // namespace
