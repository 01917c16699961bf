// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstddef>

namespace airamp::gpu_tests {

/// Device memory from cuMemCreate and cuMemMap that its own GPU alone may access. Ends the process with a message if
/// there is none.
class MappedMemory {
 public:
  MappedMemory(int device, std::size_t bytes);
  ~MappedMemory();
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  void* data() const { return reinterpret_cast<void*>(address_); }

 private:
  std::size_t bytes_ = 0;  // whole pages
  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr address_ = 0;
};

}  // namespace airamp::gpu_tests
