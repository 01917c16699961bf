// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "device_memory.hpp"
#include "half.hpp"
#include "half_stack.hpp"

namespace rtm_stack {

/// The two images of a stacking Allreduce, in host memory or, if there is `device`, in GPU memory.
class StackBuffers {
 public:
  StackBuffers(std::size_t pixels, const DeviceMemory* device);

  /// This rank's image, of as many pixels.
  void set_contribution(std::vector<Half> image);

  /// Collective.
  void stack(const HalfStack& stack, MPI_Comm communicator);

  /// The last stack, on the host.
  const std::vector<Half>& sum();

 private:
  const DeviceMemory* device_;
  std::vector<Half> contribution_;
  std::vector<Half> sum_;
  DeviceMemory::Buffer device_contribution_{nullptr, {}};
  DeviceMemory::Buffer device_sum_{nullptr, {}};
};

}  // namespace rtm_stack
