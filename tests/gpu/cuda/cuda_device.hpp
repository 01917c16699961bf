// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>
#include <sched.h>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "gpu/backend.hpp"

extern "C" const airamp::gpu::Backend* airamp_gpu_backend();

namespace airamp::gpu::test {

inline int count_gpus() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

inline void check(bool good, const Error& error) {
  if (!good) throw std::runtime_error(error.text.data());
}

inline void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

/// An opened device and a queue on it, as the library would have them. The application part is the primary context.
class OpenedDevice {
 public:
  explicit OpenedDevice(int ordinal) {
    check(cudaSetDevice(ordinal));
    check(cudaFree(nullptr));
    Error error;
    device_ = backend().open_device({Memory::device, Platform::cuda, ordinal, nullptr}, error);
    check(device_ != nullptr, error);
    queue_ = backend().open_queue(device_, error);
    check(queue_ != nullptr, error);
  }
  OpenedDevice(const OpenedDevice&) = delete;
  OpenedDevice& operator=(const OpenedDevice&) = delete;
  ~OpenedDevice() {
    if (queue_ != nullptr) backend().close_queue(queue_);
    if (device_ != nullptr) backend().close_device(device_);
  }

  static const Backend& backend() { return *airamp_gpu_backend(); }
  Device* device() const { return device_; }
  Queue* queue() const { return queue_; }

  /// Waits for what was launched. Throws where that has not ended in 20 s.
  void wait() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    Error error;
    while (std::chrono::steady_clock::now() < end) {
      const Progress progress = backend().progress(queue_, error);
      check(progress != Progress::failed, error);
      if (progress == Progress::done) return;
      sched_yield();
    }
    throw std::runtime_error("a launch did not end");
  }

  void copy(void* to, const void* from, std::size_t bytes) const {
    Error error;
    check(backend().copy(queue_, to, from, bytes, error), error);
  }

 private:
  Device* device_ = nullptr;
  Queue* queue_ = nullptr;
};

/// Device memory of the application's.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) { check(cudaMalloc(&memory_, bytes)); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(memory_); }
  std::byte* data() const { return static_cast<std::byte*>(memory_); }

 private:
  void* memory_ = nullptr;
};

}  // namespace airamp::gpu::test
