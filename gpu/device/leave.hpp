// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/call_off_peers.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// So many turns of a loop that waits for other ranks are patience enough: a turn takes some tenths of a microsecond,
/// so that this is some 10 to 20 milliseconds. By then a host that can call its own launch off has done so.
inline constexpr std::uint32_t patient_turns = 1u << 15u;
inline constexpr std::uint32_t turns_between_call_offs = 1u << 10u;

/// Whether who waits for another rank, for so many turns of a loop, is to leave (LaunchState). Looks at it every so
/// often only, and after a while looks after the other ranks as well. All lanes together.
AIRAMP_DEVICE bool is_told_to_leave(const Completion& completion, std::uint32_t turns) {
  constexpr std::uint32_t turns_between = 64;
  if (turns % turns_between != turns_between - 1) return false;
  if (turns % turns_between_call_offs == turns_between_call_offs - 1 && turns > patient_turns)
    call_off_peers(completion);
  return any(load_wire_word(&completion.state->leave) != 0);
}

}  // namespace airamp::gpu::device
