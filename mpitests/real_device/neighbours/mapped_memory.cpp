// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/neighbours/mapped_memory.hpp"

#include <mpi.h>

#include <cstdio>

#include "mpitests/real_device/neighbours/driver.hpp"

namespace airamp::gpu_tests {
namespace {

// Calls a function of the driver by its name.
template <typename Function, typename... Arguments>
void call(const char* name, Arguments... arguments) {
  const CUresult status = reinterpret_cast<Function*>(driver_function(name))(arguments...);
  if (status == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d\n", name, static_cast<int>(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace

MappedMemory::MappedMemory(int device, std::size_t bytes) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  std::size_t page = 0;
  call<decltype(cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity", &page, &properties,
                                                CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  bytes_ = (bytes + page - 1) / page * page;
  call<decltype(cuMemCreate)>("cuMemCreate", &handle_, bytes_, &properties, 0ULL);
  call<decltype(cuMemAddressReserve)>("cuMemAddressReserve", &address_, bytes_, std::size_t{0}, CUdeviceptr{0}, 0ULL);
  call<decltype(cuMemMap)>("cuMemMap", address_, bytes_, std::size_t{0}, handle_, 0ULL);
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  call<decltype(cuMemSetAccess)>("cuMemSetAccess", address_, bytes_, &access, std::size_t{1});
}

MappedMemory::~MappedMemory() {
  call<decltype(cuMemUnmap)>("cuMemUnmap", address_, bytes_);
  call<decltype(cuMemAddressFree)>("cuMemAddressFree", address_, bytes_);
  call<decltype(cuMemRelease)>("cuMemRelease", handle_);
}

}  // namespace airamp::gpu_tests
