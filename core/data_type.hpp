// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace airamp {

/// Element types that collectives carry without loss; first those that GPUs carry. `byte` is for movement and bitwise
/// operations alone. A boolean is 0 or 1. A pair is a value and its index, as maxima and minima with a location take
/// it: of two types, or of one. A complex number is two floating-point ones, and is only ever added.
enum class DataType : std::uint8_t {
  float16,
  bfloat16,
  float32,
  float64,
  int32,
  uint32,
  int64,
  uint64,
  byte,
  int8,
  uint8,
  int16,
  uint16,
  boolean8,
  boolean32,
  float32_int32,
  float64_int32,
  int16_int32,
  int32_int32,
  int64_int32,
  float32_float32,
  float64_float64,
  complex64,
  complex128
};

inline constexpr int data_type_count = static_cast<int>(DataType::complex128) + 1;

/// The type of a complex number's two parts, which are added each by itself; of another type that type.
constexpr DataType part_of(DataType type) {
  return type == DataType::complex64 ? DataType::float32 : type == DataType::complex128 ? DataType::float64 : type;
}

/// How many parts an element has.
constexpr std::size_t parts_of(DataType type) { return part_of(type) == type ? 1 : 2; }

/// Whether GPUs carry elements of a type. Of complex numbers they carry the parts.
constexpr bool is_for_gpus(DataType type) { return type <= DataType::byte; }

/// Bytes from one element to the next.
constexpr std::size_t size_of(DataType type) {
  switch (type) {
    case DataType::byte:
    case DataType::int8:
    case DataType::uint8:
    case DataType::boolean8:
      return 1;
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::int16:
    case DataType::uint16:
      return 2;
    case DataType::float32:
    case DataType::int32:
    case DataType::uint32:
    case DataType::boolean32:
      return 4;
    case DataType::float64:
    case DataType::int64:
    case DataType::uint64:
    case DataType::float32_int32:
    case DataType::int16_int32:
    case DataType::int32_int32:
    case DataType::float32_float32:
    case DataType::complex64:
      return 8;
    case DataType::float64_int32:
    case DataType::int64_int32:
    case DataType::float64_float64:
    case DataType::complex128:
      break;
  }
  return 16;
}

/// Whether some bytes of an element are a gap, which belongs to nobody and is not to be written.
constexpr bool has_gap(DataType type) {
  return type == DataType::int16_int32 || type == DataType::int64_int32 || type == DataType::float64_int32;
}

/// The name of a data type in reports.
constexpr std::string_view to_string(DataType type) {
  constexpr std::array<std::string_view, data_type_count> names = {
      "float16",         "bfloat16",        "float32",     "float64",     "int32",
      "uint32",          "int64",           "uint64",      "byte",        "int8",
      "uint8",           "int16",           "uint16",      "boolean8",    "boolean32",
      "float32_int32",   "float64_int32",   "int16_int32", "int32_int32", "int64_int32",
      "float32_float32", "float64_float64", "complex64",   "complex128"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace airamp
