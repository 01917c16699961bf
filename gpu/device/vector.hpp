// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::gpu::device {

/// What one lane loads or stores at once: 16 bytes.
struct alignas(16) Vector {
  std::uint32_t word[4];
};

/// What no codec sends; regions are full of it where nothing has arrived.
inline constexpr std::uint32_t hole_word = 0xffffffffu;

}  // namespace airamp::gpu::device
