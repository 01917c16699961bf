// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"

namespace airamp::pmpi {

/// A value and its index, laid out as in C.
template <class Value, class Index>
struct IndexedValue {
  Value value;
  Index index;
};

template <class Real>
struct Complex {
  Real real;
  Real imaginary;
};

template <class T>
concept HasIndex = requires(T element) {
  element.index;
};

template <class T>
concept HasParts = requires(T element) {
  element.imaginary;
};

template <ReduceOp op, class T>
constexpr T combined_integers(T a, T b) {
  using Unsigned = std::make_unsigned_t<T>;
  if constexpr (op == ReduceOp::sum) return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  if constexpr (op == ReduceOp::prod) return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
  if constexpr (op == ReduceOp::max) return std::max(a, b);
  if constexpr (op == ReduceOp::min) return std::min(a, b);
  if constexpr (op == ReduceOp::land) return static_cast<T>(a != 0 && b != 0);
  if constexpr (op == ReduceOp::lor) return static_cast<T>(a != 0 || b != 0);
  if constexpr (op == ReduceOp::lxor) return static_cast<T>((a != 0) != (b != 0));
  if constexpr (op == ReduceOp::band) return static_cast<T>(a & b);
  if constexpr (op == ReduceOp::bor) return static_cast<T>(a | b);
  if constexpr (op == ReduceOp::bxor) return static_cast<T>(a ^ b);
}

/// `a OP b`. Integers wrap.
template <ReduceOp op, class T>
constexpr T combined(T a, T b) {
  if constexpr (std::is_integral_v<T>) return combined_integers<op>(a, b);
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (op == ReduceOp::sum) return a + b;
    if constexpr (op == ReduceOp::prod) return a * b;
    if constexpr (op == ReduceOp::max) return a > b ? a : b;
    if constexpr (op == ReduceOp::min) return a < b ? a : b;
  }
  if constexpr (HasParts<T>) return {a.real + b.real, a.imaginary + b.imaginary};
  if constexpr (HasIndex<T>) {
    if (a.value == b.value) return {a.value, std::min(a.index, b.index)};
    return (op == ReduceOp::maxloc) == (a.value > b.value) ? a : b;
  }
}

/// Calls `function.operator()<op, T>()` for an operation on integers of the width of T, of which the sign matters to
/// maxima and minima alone: those of unsigned ones are taken of values that signed ones hold (are_alike). Sums and
/// products of 8 and 16 bits are for the MPI library: Open MPI's vector instructions saturate, and the rest of its loop
/// wraps.
template <class Signed, class Function>
bool with_integer_operation(ReduceOp op, const Function& function) {
  using Unsigned = std::make_unsigned_t<Signed>;
  constexpr bool wraps = sizeof(Signed) >= 4;
  switch (op) {
    case ReduceOp::sum:
      if constexpr (wraps) function.template operator()<ReduceOp::sum, Unsigned>();
      return wraps;
    case ReduceOp::prod:
      if constexpr (wraps) function.template operator()<ReduceOp::prod, Unsigned>();
      return wraps;
    case ReduceOp::max:
      function.template operator()<ReduceOp::max, Signed>();
      return true;
    case ReduceOp::min:
      function.template operator()<ReduceOp::min, Signed>();
      return true;
    case ReduceOp::land:
      function.template operator()<ReduceOp::land, Unsigned>();
      return true;
    case ReduceOp::lor:
      function.template operator()<ReduceOp::lor, Unsigned>();
      return true;
    case ReduceOp::lxor:
      function.template operator()<ReduceOp::lxor, Unsigned>();
      return true;
    case ReduceOp::band:
      function.template operator()<ReduceOp::band, Unsigned>();
      return true;
    case ReduceOp::bor:
      function.template operator()<ReduceOp::bor, Unsigned>();
      return true;
    case ReduceOp::bxor:
      function.template operator()<ReduceOp::bxor, Unsigned>();
      return true;
    case ReduceOp::maxloc:
    case ReduceOp::minloc:
      break;
  }
  return false;
}

template <class Real, class Function>
bool with_real_operation(ReduceOp op, const Function& function) {
  switch (op) {
    case ReduceOp::sum:
      function.template operator()<ReduceOp::sum, Real>();
      return true;
    case ReduceOp::prod:
      function.template operator()<ReduceOp::prod, Real>();
      return true;
    case ReduceOp::max:
      function.template operator()<ReduceOp::max, Real>();
      return true;
    case ReduceOp::min:
      function.template operator()<ReduceOp::min, Real>();
      return true;
    default:
      return false;
  }
}

template <class Value, class Index, class Function>
bool with_pair_operation(ReduceOp op, const Function& function) {
  using Pair = IndexedValue<Value, Index>;
  if (op != ReduceOp::maxloc && op != ReduceOp::minloc) return false;
  if (op == ReduceOp::maxloc) {
    function.template operator()<ReduceOp::maxloc, Pair>();
  } else {
    function.template operator()<ReduceOp::minloc, Pair>();
  }
  return true;
}

template <class Real, class Function>
bool with_complex_operation(ReduceOp op, const Function& function) {
  if (op == ReduceOp::sum) function.template operator()<ReduceOp::sum, Complex<Real>>();
  return op == ReduceOp::sum;
}

/// Calls `function.operator()<op, T>()` for a type of numbers that have the bits of T, and an operation; false if
/// there is no such reduction, and nothing is called.
template <class Function>
bool with_combination(DataType type, ReduceOp op, const Function& function) {
  switch (type) {
    case DataType::byte:
    case DataType::int8:
    case DataType::uint8:
    case DataType::boolean8:
      return with_integer_operation<std::int8_t>(op, function);
    case DataType::int16:
    case DataType::uint16:
      return with_integer_operation<std::int16_t>(op, function);
    case DataType::int32:
    case DataType::uint32:
    case DataType::boolean32:
      return with_integer_operation<std::int32_t>(op, function);
    case DataType::int64:
    case DataType::uint64:
      return with_integer_operation<std::int64_t>(op, function);
    case DataType::float32:
      return with_real_operation<float>(op, function);
    case DataType::float64:
      return with_real_operation<double>(op, function);
    case DataType::float32_int32:
      return with_pair_operation<float, std::int32_t>(op, function);
    case DataType::float64_int32:
      return with_pair_operation<double, std::int32_t>(op, function);
    case DataType::int16_int32:
      return with_pair_operation<std::int16_t, std::int32_t>(op, function);
    case DataType::int32_int32:
      return with_pair_operation<std::int32_t, std::int32_t>(op, function);
    case DataType::int64_int32:
      return with_pair_operation<std::int64_t, std::int32_t>(op, function);
    case DataType::float32_float32:
      return with_pair_operation<float, float>(op, function);
    case DataType::float64_float64:
      return with_pair_operation<double, double>(op, function);
    case DataType::complex64:
      return with_complex_operation<float>(op, function);
    case DataType::complex128:
      return with_complex_operation<double>(op, function);
    case DataType::float16:
    case DataType::bfloat16:
      break;
  }
  return false;
}

}  // namespace airamp::pmpi
