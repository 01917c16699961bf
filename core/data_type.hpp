// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace airamp {

/// Element types that collectives carry without loss; `byte` is for movement alone.
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

}  // namespace airamp
