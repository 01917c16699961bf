// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/device/exact_codec.hpp"
#include "gpu/device/kernels.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {
namespace {

template <class Codec>
const void* of_size(int size) {
  if (size == 2) return reinterpret_cast<const void*>(&device::reduce_kernel<2, Codec>);
  if (size == 4) return reinterpret_cast<const void*>(&device::reduce_kernel<4, Codec>);
  if (size == 8) return reinterpret_cast<const void*>(&device::reduce_kernel<8, Codec>);
  return nullptr;
}

}  // namespace

// Sums wrap: the same bits whether the integers are signed or not.
const void* integer_sum_kernel(int size, DataType type) {
  switch (type) {
    case DataType::int32:
    case DataType::uint32:
      return of_size<device::ExactCodec<DataType::uint32>>(size);
    case DataType::int64:
    case DataType::uint64:
      return of_size<device::ExactCodec<DataType::uint64>>(size);
    default:
      return nullptr;
  }
}

}  // namespace airamp::gpu::runtime
