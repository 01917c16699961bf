// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::pmpi {

/// Adds `elements` float16 numbers of `in` to those of `inout`: in binary32, rounded once to nearest even, whatever the
/// thread's floating-point settings. A NaN stays one. By the processor's own conversions where it has them. The vectors
/// are of any alignment and do not overlap. Thread-safe.
void add_float16(const std::byte* in, std::byte* inout, std::size_t elements);

}  // namespace airamp::pmpi
