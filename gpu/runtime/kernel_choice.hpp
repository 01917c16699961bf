// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// From values to template arguments: calls a generic function with the codec that a format and type ask for.
#pragma once

#include "core/data_type.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "gpu/device/exact_codec.hpp"
#include "gpu/device/lossless_codec.hpp"
#include "gpu/device/mx/wire_codec.hpp"

namespace airamp::gpu::runtime {

template <WireFormat format, class Function>
const void* with_mx_codec_of(ElementType type, Function function) {
  switch (type) {
    case ElementType::float16:
      return function.template operator()<device::WireCodec<format, ElementType::float16>>();
    case ElementType::bfloat16:
      return function.template operator()<device::WireCodec<format, ElementType::bfloat16>>();
    case ElementType::float32:
      return function.template operator()<device::WireCodec<format, ElementType::float32>>();
  }
  return nullptr;
}

template <class Function>
const void* with_mx_codec(WireFormat format, ElementType type, Function function) {
  switch (format) {
    case WireFormat::mxfp8_e4m3:
      return with_mx_codec_of<WireFormat::mxfp8_e4m3>(type, function);
    case WireFormat::mxfp8_e5m2:
      return with_mx_codec_of<WireFormat::mxfp8_e5m2>(type, function);
    case WireFormat::mxint8:
      return with_mx_codec_of<WireFormat::mxint8>(type, function);
    case WireFormat::mxfp6_e2m3:
      return with_mx_codec_of<WireFormat::mxfp6_e2m3>(type, function);
    case WireFormat::mxfp6_e3m2:
      return with_mx_codec_of<WireFormat::mxfp6_e3m2>(type, function);
    case WireFormat::mxfp4:
      return with_mx_codec_of<WireFormat::mxfp4>(type, function);
  }
  return nullptr;
}

template <class Function>
const void* with_float_codec(DataType type, Function function) {
  switch (type) {
    case DataType::float16:
      return function.template operator()<device::FloatCodec<DataType::float16>>();
    case DataType::bfloat16:
      return function.template operator()<device::FloatCodec<DataType::bfloat16>>();
    case DataType::float32:
      return function.template operator()<device::FloatCodec<DataType::float32>>();
    case DataType::float64:
      return function.template operator()<device::FloatCodec<DataType::float64>>();
    default:
      return nullptr;
  }
}

template <class Function>
const void* with_lossless_codec(DataType type, Function function) {
  switch (type) {
    case DataType::int32:
      return function.template operator()<device::ExactCodec<DataType::int32>>();
    case DataType::uint32:
      return function.template operator()<device::ExactCodec<DataType::uint32>>();
    case DataType::int64:
      return function.template operator()<device::ExactCodec<DataType::int64>>();
    case DataType::uint64:
      return function.template operator()<device::ExactCodec<DataType::uint64>>();
    default:
      return with_float_codec(type, function);
  }
}

}  // namespace airamp::gpu::runtime
