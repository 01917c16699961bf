// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What a kernel does that has waited long for other ranks' kernels: it calls off those that have not begun. Their own
// hosts may be unable to. A thread of the application's that frees GPU memory waits for all kernels of its process, and
// lets no other thread of it into the driver meanwhile; the host's thread then can neither call off the launch that
// finds no room, nor have the one leave that waits for it. Kernels need no driver.
//
// It is the call-off of start_gate.hpp, by another rank: the number of the launch is stored into the state of the
// peer's, and each of its blocks either was counted before or finds the number there. Once all that were counted have
// said which, the launch either runs as a whole, or it never votes, so that no rank's can start, and this one leaves.
// Launches have the same number on all ranks, as each is done on all or on none. A number that comes too late means
// nothing to those after it.
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Calls the launch `number` off on a rank, as far as it has not begun. Whether it never will as a whole; false as
/// long as that is not known.
AIRAMP_DEVICE bool never_begins(LaunchState& peer, std::uint32_t number) {
  store_wire_word(&peer.called_off, number);
  store_load_fence();  // who is not counted below finds the number
  const std::uint32_t accepted = load_wire_word(&peer.accepted);
  const std::uint32_t answered = accepted + load_wire_word(&peer.refused);
  system_fence();                                                              // blocks are counted before they answer
  const auto begun = static_cast<std::uint32_t>(load_wire_pair(&peer.begun));  // and with it what was stored above
  const bool all_answered = begun == answered;
  system_fence();  // who is done says so before it takes its counts back
  return all_answered && accepted != gridDim.x && load_wire_word(&peer.finished) + 1 == number;
}

/// Calls off what has not begun on any rank, and has this launch leave if something has not: of its own rank too, as
/// another rank may have called off some of its blocks, and its host may be unable to tell the rest. All lanes
/// together: each looks after one rank.
AIRAMP_DEVICE void call_off_peers(const Completion& completion) {
  const LaunchStates* states = completion.states;
  if (states == nullptr) return;
  const int rank = lane_index();
  if (rank >= states->size) return;
  const std::uint32_t number = load_wire_word(&completion.state->finished) + 1;
  if (never_begins(*states->of[rank], number)) store_wire_word(&completion.state->leave, 1);
}

}  // namespace airamp::gpu::device
