// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/data_type.hpp"

namespace airamp {

/// Those data types that the codecs take and give: IEEE binary16, bfloat16, IEEE binary32. A type of its own, so that
/// nobody can ask for the codec of an integer, and tables and kernels for every value of it are complete.
enum class ElementType : std::uint8_t { float16, bfloat16, float32 };

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

/// Bytes of one element.
constexpr std::size_t size_of(ElementType type) { return size_of(data_type(type)); }

/// The name of an element type in settings and reports.
constexpr std::string_view to_string(ElementType type) { return to_string(data_type(type)); }

}  // namespace airamp
