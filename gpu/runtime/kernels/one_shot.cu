// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

const void* one_shot_kernel(DataType type) {
  return with_lossless_codec(
      type, []<class Codec>() { return reinterpret_cast<const void*>(&device::one_shot_kernel<Codec>); });
}

const void* one_block_kernel(int size, DataType type) {
  return with_lossless_codec(type, [size]<class Codec>() {
    if (size == 2) return reinterpret_cast<const void*>(&device::one_block_kernel<2, Codec>);
    if (size == 4) return reinterpret_cast<const void*>(&device::one_block_kernel<4, Codec>);
    return reinterpret_cast<const void*>(&device::one_block_kernel<0, Codec>);
  });
}

}  // namespace airamp::gpu::runtime
