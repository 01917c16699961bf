// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/on_gpu.hpp"

#include "gpu/location.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

OnGpu gpu_of(const void* buffer) {
  if (!job().gpus) return {};
  const gpu::Location location = gpu::locate(buffer);
  if (location.memory != gpu::Memory::device) return {};
  return {.holds = true, .device = gpu_device(location)};
}

}  // namespace airamp::pmpi
