// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/arguments.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Ends a kernel that waits for no other rank; all threads call it. The last block tells the host. Why that suffices:
/// what a thread has stored is ordered by the block's barrier before its first thread's count, which releases it; the
/// last block to count acquires the counts of all the others, and its release comes after. So whoever acquires the flag
/// sees all outputs and all holes of this launch, and so does whomever he tells. Fences cost about half a microsecond
/// each: there are no others, and a single block need not count.
AIRAMP_DEVICE void complete(const Completion& completion) {
  block_barrier();
  if (threadIdx.x != 0) return;
  if (gridDim.x > 1) {
    if (count_up(&completion.state->ended, 1) != gridDim.x - 1) return;
    completion.state->ended = 0;  // for the next launch, which the stream starts after this one
  }
  store_release(completion.flag, launch_done);
}

}  // namespace airamp::gpu::device
