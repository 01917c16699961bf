// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "pmpi/device/gpu_device.hpp"

namespace airamp::pmpi {

/// Two vectors of AIRamp's own in a GPU's scratch memory, which is as it was once they are gone.
class ScratchVectors {
 public:
  /// Of `bytes` bytes each; nullptr if there is no room. Throws std::bad_alloc.
  static std::unique_ptr<ScratchVectors> make(GpuDevice& device, std::size_t bytes);
  ~ScratchVectors();
  ScratchVectors(const ScratchVectors&) = delete;
  ScratchVectors& operator=(const ScratchVectors&) = delete;

  GpuDevice& device() const { return device_; }
  std::byte* input() const { return device_.scratch() + offset_; }
  std::byte* output() const { return input() + stride_; }

 private:
  ScratchVectors(GpuDevice& device, std::size_t offset, std::size_t stride)
      : device_(device), offset_(offset), stride_(stride) {}

  GpuDevice& device_;
  std::size_t offset_;
  std::size_t stride_;
};

}  // namespace airamp::pmpi
