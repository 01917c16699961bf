// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

const void* mx_reduce_kernel(WireFormat format, ElementType type) {
  return with_mx_codec(format, type,
                       []<class Codec>() { return reinterpret_cast<const void*>(&device::reduce_kernel<0, Codec>); });
}

}  // namespace airamp::gpu::runtime
