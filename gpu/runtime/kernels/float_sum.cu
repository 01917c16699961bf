// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

const void* float_sum_kernel(int size, DataType type) {
  return with_float_codec(type, [size]<class Codec>() -> const void* {
    if (size == 2) return reinterpret_cast<const void*>(&device::reduce_kernel<2, Codec>);
    if (size == 4) return reinterpret_cast<const void*>(&device::reduce_kernel<4, Codec>);
    if (size == 8) return reinterpret_cast<const void*>(&device::reduce_kernel<8, Codec>);
    return nullptr;
  });
}

}  // namespace airamp::gpu::runtime
