// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::gpu_tests {

/// How the bytes of an element are to be read.
enum class Format : std::uint8_t { float16, bfloat16, float32, float64, int32, uint32, int64, uint64, byte };

}  // namespace airamp::gpu_tests
