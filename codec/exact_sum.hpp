// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"

namespace airamp::codec {

/// Adds `count` vectors (1 to 2^31) of `elements` elements, each sum as if with unlimited precision and rounded once,
/// to nearest, ties to even: no order of the vectors changes a bit. `type`: float32 or float64. A sum is infinite only
/// if it overflows itself or an addend is; one with a NaN or with infinities of both signs is the one quiet NaN
/// 0x7ff8000000000000 or 0x7fc00000; zero is -0 only if all addends are. The caller's floating-point modes, traps and
/// exception flags have no part in it and stay as they are. The vectors are aligned to their elements; `result` is of
/// any alignment, and may be one of them. Thread-safe; allocates nothing.
void sum_exactly(DataType type, const std::byte* const* vectors, std::size_t count, std::size_t elements,
                 std::byte* result);

}  // namespace airamp::codec
