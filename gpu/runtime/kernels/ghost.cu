// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/ghost.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

const void* ghost_kernel() { return reinterpret_cast<const void*>(&device::ghost_kernel); }

}  // namespace airamp::gpu::runtime
