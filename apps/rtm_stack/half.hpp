// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace rtm_stack {

/// The bits of an IEEE binary16 number.
using Half = std::uint16_t;

/// The nearest binary16 number, ties to even; overflow gives infinity, NaN stays NaN.
Half to_half(float value);

/// Exact.
float to_float(Half half);

/// sum[i] = sum[i] + addend[i]: added in binary32 and rounded to the nearest binary16 number, ties to even.
/// Uses the processor's conversion instructions where there are any; the results are the same, but for
/// which of two NaNs is kept.
void add_halves(const Half* addend, Half* sum, std::size_t count);

}  // namespace rtm_stack
