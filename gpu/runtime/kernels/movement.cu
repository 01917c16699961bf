// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernel_choice.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {

namespace {

template <class Codec>
const void* gather_kernel_of(int size) {
  if (size == 0) return reinterpret_cast<const void*>(&device::gather_kernel<0, Codec>);
  if (size == 2) return reinterpret_cast<const void*>(&device::gather_kernel<2, Codec>);
  if (size == 4) return reinterpret_cast<const void*>(&device::gather_kernel<4, Codec>);
  if (size == 8) return reinterpret_cast<const void*>(&device::gather_kernel<8, Codec>);
  return nullptr;
}

}  // namespace

const void* exact_gather_kernel(int size) { return gather_kernel_of<device::ExactCodec<DataType::byte>>(size); }

const void* exact_alltoall_kernel(int size) {
  using Codec = device::ExactCodec<DataType::byte>;
  if (size == 0) return reinterpret_cast<const void*>(&device::alltoall_kernel<0, Codec>);
  if (size == 2) return reinterpret_cast<const void*>(&device::alltoall_kernel<2, Codec>);
  if (size == 4) return reinterpret_cast<const void*>(&device::alltoall_kernel<4, Codec>);
  if (size == 8) return reinterpret_cast<const void*>(&device::alltoall_kernel<8, Codec>);
  return nullptr;
}

const void* exact_broadcast_kernel(int size) {
  using Codec = device::ExactCodec<DataType::byte>;
  if (size == 0) return reinterpret_cast<const void*>(&device::broadcast_kernel<0, Codec>);
  if (size == 2) return reinterpret_cast<const void*>(&device::broadcast_kernel<2, Codec>);
  return nullptr;
}

const void* mx_gather_kernel(int size, WireFormat format, ElementType type) {
  if (size == 0)
    return with_mx_codec(format, type,
                         []<class Codec>() { return reinterpret_cast<const void*>(&device::gather_kernel<0, Codec>); });
  if (format != WireFormat::mxfp8_e4m3) return nullptr;
  if (type == ElementType::float16)
    return gather_kernel_of<device::MxCodec<WireFormat::mxfp8_e4m3, ElementType::float16>>(size);
  if (type == ElementType::bfloat16)
    return gather_kernel_of<device::MxCodec<WireFormat::mxfp8_e4m3, ElementType::bfloat16>>(size);
  return nullptr;
}

const void* mx_broadcast_kernel(WireFormat format, ElementType type) {
  return with_mx_codec(
      format, type, []<class Codec>() { return reinterpret_cast<const void*>(&device::broadcast_kernel<0, Codec>); });
}

}  // namespace airamp::gpu::runtime
