// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/alike_values.hpp"

#include <cstdint>
#include <cstring>

namespace airamp::pmpi {
namespace {

template <class Unsigned>
constexpr Unsigned sign_bit = Unsigned{1} << (8 * sizeof(Unsigned) - 1);

/// The bits of a floating-point number: +0, a normal number or an infinity.
template <class Unsigned>
constexpr bool is_ordinary(Unsigned bits) {
  constexpr Unsigned infinity = sizeof(Unsigned) == 4 ? 0x7f800000U : static_cast<Unsigned>(0x7ff0000000000000U);
  constexpr Unsigned least_normal = sizeof(Unsigned) == 4 ? 0x00800000U : static_cast<Unsigned>(0x0010000000000000U);
  const Unsigned magnitude = bits & ~sign_bit<Unsigned>;
  return bits == 0 || (magnitude >= least_normal && magnitude <= infinity);
}

/// Whether the words at `distance` from each other all are what `is_alike` wants.
template <class Unsigned, class Predicate>
bool all_of(const void* values, std::size_t elements, std::size_t distance, const Predicate& is_alike) {
  const auto* at = static_cast<const std::byte*>(values);
  bool all = true;
  for (std::size_t i = 0; i < elements; ++i) {
    Unsigned bits = 0;
    std::memcpy(&bits, at + i * distance, sizeof bits);
    all = all && is_alike(bits);
  }
  return all;
}

template <class Unsigned>
bool all_ordinary(const void* values, std::size_t elements, std::size_t distance = sizeof(Unsigned)) {
  return all_of<Unsigned>(values, elements, distance, [](Unsigned bits) { return is_ordinary(bits); });
}

template <class Unsigned>
bool all_as_signed(const void* values, std::size_t elements) {
  return all_of<Unsigned>(values, elements, sizeof(Unsigned),
                          [](Unsigned bits) { return (bits & sign_bit<Unsigned>) == 0; });
}

template <class Unsigned>
bool all_boolean(const void* values, std::size_t elements) {
  return all_of<Unsigned>(values, elements, sizeof(Unsigned), [](Unsigned bits) { return bits <= 1; });
}

}  // namespace

bool depends_on_values(DataType type, ReduceOp op) noexcept {
  const bool extreme = op == ReduceOp::max || op == ReduceOp::min;
  switch (type) {
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::float32:
    case DataType::float64:
    case DataType::uint8:
    case DataType::uint16:
    case DataType::uint32:
    case DataType::uint64:
      return extreme;
    case DataType::boolean8:
    case DataType::boolean32:
    case DataType::float32_int32:
    case DataType::float64_int32:
    case DataType::float32_float32:
    case DataType::float64_float64:
      return true;
    case DataType::int8:
    case DataType::int16:
    case DataType::int32:
    case DataType::int64:
    case DataType::byte:
    case DataType::int16_int32:
    case DataType::int32_int32:
    case DataType::int64_int32:
    case DataType::complex64:
    case DataType::complex128:
      break;
  }
  return false;
}

bool are_alike(DataType type, const void* values, std::size_t elements) noexcept {
  switch (type) {
    case DataType::float32:
      return all_ordinary<std::uint32_t>(values, elements);
    case DataType::float64:
      return all_ordinary<std::uint64_t>(values, elements);
    case DataType::float32_int32:
    case DataType::float64_int32:  // of the values; indices are integers
      return type == DataType::float32_int32 ? all_ordinary<std::uint32_t>(values, elements, size_of(type))
                                             : all_ordinary<std::uint64_t>(values, elements, size_of(type));
    case DataType::float32_float32:
      return all_ordinary<std::uint32_t>(values, 2 * elements);
    case DataType::float64_float64:
      return all_ordinary<std::uint64_t>(values, 2 * elements);
    case DataType::uint8:
      return all_as_signed<std::uint8_t>(values, elements);
    case DataType::uint16:
      return all_as_signed<std::uint16_t>(values, elements);
    case DataType::uint32:
      return all_as_signed<std::uint32_t>(values, elements);
    case DataType::uint64:
      return all_as_signed<std::uint64_t>(values, elements);
    case DataType::boolean8:
      return all_boolean<std::uint8_t>(values, elements);
    case DataType::boolean32:
      return all_boolean<std::uint32_t>(values, elements);
    default:
      return false;
  }
}

}  // namespace airamp::pmpi
