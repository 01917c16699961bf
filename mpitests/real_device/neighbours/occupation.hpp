// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpitests/real_device/application_kernels.hpp"
#include "mpitests/real_device/device_memory.hpp"

namespace airamp::gpu_tests {

/// A kernel that has the whole GPU until the host has what it wants. It gives up by itself, so that nothing waits for
/// ever for a host that waits for it.
class Occupation {
 public:
  /// In a stream of its own that is ordered after no other, or in the default stream.
  enum class In { own_stream, default_stream };
  explicit Occupation(In in = In::own_stream);
  ~Occupation();
  Occupation(const Occupation&) = delete;
  Occupation& operator=(const Occupation&) = delete;

  /// On return it runs, if the GPU had nothing else to do.
  void start();

  /// Whether it is still on the GPU.
  bool running() const;

  /// Tells it to end, and waits.
  void stop();

 private:
  Stream own_stream_;
  cudaStream_t stream_;
  volatile int* stop_ = nullptr;
};

}  // namespace airamp::gpu_tests
