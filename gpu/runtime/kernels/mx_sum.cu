// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

const void* mx_sum_kernel(int size, WireFormat format, ElementType type) {
  if (format != WireFormat::mxfp8_e4m3 || type == ElementType::float32) return nullptr;
  const auto of_type = [type]<int ranks>() {
    using Half = device::MxCodec<WireFormat::mxfp8_e4m3, ElementType::float16>;
    using BrainHalf = device::MxCodec<WireFormat::mxfp8_e4m3, ElementType::bfloat16>;
    return type == ElementType::float16 ? reinterpret_cast<const void*>(&device::reduce_kernel<ranks, Half>)
                                        : reinterpret_cast<const void*>(&device::reduce_kernel<ranks, BrainHalf>);
  };
  if (size == 2) return of_type.template operator()<2>();
  if (size == 4) return of_type.template operator()<4>();
  if (size == 8) return of_type.template operator()<8>();
  return nullptr;
}

}  // namespace airamp::gpu::runtime
