// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

const void* reduce_vectors_kernel(DataType type) {
  return with_lossless_codec(
      type, []<class Codec>() { return reinterpret_cast<const void*>(&device::reduce_wires_kernel<Codec>); });
}

}  // namespace airamp::gpu::runtime
