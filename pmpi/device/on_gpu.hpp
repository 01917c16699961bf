// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/device/gpu_device.hpp"

namespace airamp::pmpi {

/// Whether the host cannot reach a buffer, because it lies in the memory of a GPU.
struct OnGpu {
  bool holds = false;
  GpuDevice* device = nullptr;  ///< that GPU; nullptr: none, or AIRamp cannot use it
};

/// Where `buffer` lies, which may be a value like MPI_IN_PLACE. Opens a GPU on first sight. Thread-safe.
OnGpu gpu_of(const void* buffer);

}  // namespace airamp::pmpi
