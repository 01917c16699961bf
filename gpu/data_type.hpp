// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gpu/codec.hpp"

namespace airamp::gpu {

/// Element types that collectives on device memory carry without loss; `byte` is for movement alone.
enum class DataType : std::uint8_t { float16, bfloat16, float32, float64, int32, uint32, int64, uint64, byte };

/// Bytes of one element.
constexpr std::size_t size_of(DataType type) {
  switch (type) {
    case DataType::byte:
      return 1;
    case DataType::float16:
    case DataType::bfloat16:
      return 2;
    case DataType::float32:
    case DataType::int32:
    case DataType::uint32:
      return 4;
    case DataType::float64:
    case DataType::int64:
    case DataType::uint64:
      break;
  }
  return 8;
}

/// The name of a data type in reports.
constexpr std::string_view to_string(DataType type) {
  constexpr std::string_view names[] = {"float16", "bfloat16", "float32", "float64", "int32",
                                        "uint32",  "int64",    "uint64",  "byte"};
  return names[static_cast<std::size_t>(type)];
}

constexpr DataType data_type(ElementType type) {
  return type == ElementType::float16    ? DataType::float16
         : type == ElementType::bfloat16 ? DataType::bfloat16
                                         : DataType::float32;
}

/// The type as the codecs know it; empty if none compresses it.
constexpr std::optional<ElementType> element_type(DataType type) {
  switch (type) {
    case DataType::float16:
      return ElementType::float16;
    case DataType::bfloat16:
      return ElementType::bfloat16;
    case DataType::float32:
      return ElementType::float32;
    default:
      return std::nullopt;
  }
}

}  // namespace airamp::gpu
