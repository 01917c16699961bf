// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

const void* encode_kernel(WireFormat format, ElementType type) {
  return with_mx_codec(format, type,
                       []<class Codec>() { return reinterpret_cast<const void*>(&device::encode_kernel<Codec>); });
}

const void* decode_kernel(WireFormat format, ElementType type) {
  return with_mx_codec(format, type,
                       []<class Codec>() { return reinterpret_cast<const void*>(&device::decode_kernel<Codec>); });
}

const void* reduce_wires_kernel(WireFormat format, ElementType type) {
  return with_mx_codec(
      format, type, []<class Codec>() { return reinterpret_cast<const void*>(&device::reduce_wires_kernel<Codec>); });
}

}  // namespace airamp::gpu::runtime
