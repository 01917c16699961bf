// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/reduce_op.hpp"

namespace airamp::pmpi {

/// The groups of predefined datatypes by which MPI says what operations they take (MPI-4.1, 6.9.2 and 6.9.4), but for
/// one type, which Open MPI 4.1 compares as an unsigned one, and for products of complex numbers, of which compilers
/// make different bits.
enum class TypeGroup : std::uint8_t {
  none,  ///< takes none, or none that AIRamp knows of
  c_integer,
  fortran_integer,
  floating_point,
  complex,  ///< without products
  logical,
  byte,
  multi_language,  ///< MPI_AINT and MPI_COUNT
  offset,          ///< MPI_OFFSET, without maxima and minima
  pair             ///< of a value and its index
};

/// Whether MPI allows an operation on the types of a group. What libraries allow beyond that is theirs.
constexpr bool allows(TypeGroup group, ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      if (group == TypeGroup::complex) return true;
      [[fallthrough]];
    case ReduceOp::prod:
      if (group == TypeGroup::offset) return true;
      [[fallthrough]];
    case ReduceOp::max:
    case ReduceOp::min:
      return group == TypeGroup::c_integer || group == TypeGroup::fortran_integer ||
             group == TypeGroup::floating_point || group == TypeGroup::multi_language;
    case ReduceOp::land:
    case ReduceOp::lor:
    case ReduceOp::lxor:
      return group == TypeGroup::c_integer || group == TypeGroup::logical;
    case ReduceOp::band:
    case ReduceOp::bor:
    case ReduceOp::bxor:
      return group == TypeGroup::c_integer || group == TypeGroup::fortran_integer || group == TypeGroup::byte ||
             group == TypeGroup::multi_language || group == TypeGroup::offset;
    case ReduceOp::maxloc:
    case ReduceOp::minloc:
      return group == TypeGroup::pair;
  }
  return false;
}

}  // namespace airamp::pmpi
