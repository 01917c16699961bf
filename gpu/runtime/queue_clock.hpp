// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::gpu::runtime {

/// Of the monotonic clock.
std::uint64_t nanoseconds_now() noexcept;

}  // namespace airamp::gpu::runtime
