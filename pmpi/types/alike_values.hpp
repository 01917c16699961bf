// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"

namespace airamp::pmpi {

/// Whether what an MPI library makes of some values is its own affair: of NaN and of zeros of both signs in maxima and
/// minima of floating-point numbers, where a vector instruction keeps the one operand and the rest of the same loop the
/// other; of unsigned integers beyond the signed ones, which MPICH 4.0 compares as signed; of booleans that are neither
/// 0 nor 1.
bool depends_on_values(DataType type, ReduceOp op) noexcept;

/// Whether a reduction for which depends_on_values holds has the same bits by every MPI library and in every order, if
/// all of its values are such as these. Of subnormal numbers that is not said, since processors may take them for
/// zeros. `elements` elements of any alignment. Thread-safe; touches no floating-point flag.
bool are_alike(DataType type, const void* values, std::size_t elements) noexcept;

}  // namespace airamp::pmpi
