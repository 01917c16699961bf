// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Whether who waits for another rank, for so many turns of a loop, has been told to leave (LaunchState). Looks at the
/// word every so often only. All lanes together.
AIRAMP_DEVICE bool is_told_to_leave(const std::uint32_t* leave, std::uint32_t turns) {
  constexpr std::uint32_t turns_between = 64;
  return turns % turns_between == turns_between - 1 && any(load_wire_word(leave) != 0);
}

}  // namespace airamp::gpu::device
