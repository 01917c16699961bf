// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "mpitests/real_device/device.hpp"

namespace airamp::gpu_tests {

/// Memory from cudaMalloc on the current device.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) { require(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~DeviceMemory() {
    if (data_ != nullptr) require(cudaFree(data_), "cudaFree");
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  void* data() const { return data_; }

  /// It went away with its context.
  void forget() { data_ = nullptr; }

 private:
  void* data_ = nullptr;
};

/// A stream that is ordered after no other, as most applications' are.
class Stream {
 public:
  Stream() { require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
  ~Stream() { require(cudaStreamDestroy(stream_), "cudaStreamDestroy"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }

  void synchronize() const {
    require(cudaGetLastError(), "a kernel's launch");
    require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace airamp::gpu_tests
