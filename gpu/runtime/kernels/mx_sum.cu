// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

namespace {

template <int ranks, WireFormat format>
const void* of_type(ElementType type) {
  using Half = device::WireCodec<format, ElementType::float16>;
  using BrainHalf = device::WireCodec<format, ElementType::bfloat16>;
  if (type == ElementType::float32) return nullptr;
  return type == ElementType::float16 ? reinterpret_cast<const void*>(&device::reduce_kernel<ranks, Half>)
                                      : reinterpret_cast<const void*>(&device::reduce_kernel<ranks, BrainHalf>);
}

}  // namespace

// The longer rows of more ranks would not fit a lane's registers.
const void* mx_sum_kernel(int size, WireFormat format, ElementType type) {
  switch (format) {
    case WireFormat::mxfp8_e4m3:
      if (size == 2) return of_type<2, WireFormat::mxfp8_e4m3>(type);
      if (size == 4) return of_type<4, WireFormat::mxfp8_e4m3>(type);
      if (size == 8) return of_type<8, WireFormat::mxfp8_e4m3>(type);
      break;
    case WireFormat::mxfp6_e2m3:
      if (size == 2) return of_type<2, WireFormat::mxfp6_e2m3>(type);
      break;
    case WireFormat::mxfp4:
      if (size == 2) return of_type<2, WireFormat::mxfp4>(type);
      break;
    default:
      break;
  }
  return nullptr;
}

}  // namespace airamp::gpu::runtime
