// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"

namespace airamp::codec {

/// Reduces `count` >= 1 vectors of `elements` elements in the order in which they stand, with the arithmetic of the
/// kernels: halves are accumulated in binary32 and rounded once, integers wrap, NaN wins over every number, of values
/// that compare equal the first stays. Not for DataType::byte. The vectors are of any alignment; `result` may be one of
/// them. Thread-safe.
void reduce_lossless(DataType type, ReduceOp op, const std::byte* const* vectors, std::size_t count,
                     std::size_t elements, std::byte* result);

}  // namespace airamp::codec
