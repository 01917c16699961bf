// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/error_text.hpp"
#include "gpu/runtime/platform.hpp"
#include "gpu/runtime/queue_clock.hpp"

namespace airamp::gpu::runtime {

/// Blocks, and threads in each.
struct Grid {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
};

/// `warps` over all multiprocessors first, then several to a block.
inline Grid spread(std::uint64_t warps, int multiprocessors, int max_warps_of_block) {
  const std::uint64_t wanted = std::max<std::uint64_t>(warps, 1);
  const auto most = static_cast<std::uint64_t>(max_warps_of_block);
  const std::uint64_t blocks = std::max(std::min<std::uint64_t>(wanted, static_cast<std::uint64_t>(multiprocessors)),
                                        (wanted + most - 1) / most);
  return {static_cast<std::uint32_t>(blocks), static_cast<std::uint32_t>(32 * ((wanted + blocks - 1) / blocks))};
}

/// Launches a kernel whose only argument is `arguments`. The queue's launch before it is complete.
template <class Arguments>
bool start_kernel(Queue& queue, const void* kernel, Grid grid, Arguments& arguments, Error& error) noexcept {
  arguments.completion.state = queue.state;
  arguments.completion.flag = &queue.words->flag;
  arguments.completion.states = queue.states;
  const platform::CurrentContext current(queue.device->context, true);
  if (!current.check(error)) return false;
  queue.ordered = false;
  queue.words->say(device::launch_running);
  queue.blocks = grid.blocks;
  const bool started = succeeded(
      queue.launcher.launch(kernel, dim3(grid.blocks), dim3(grid.threads), &arguments, sizeof arguments, queue.stream),
      "launching a kernel", error);
  if (!started) queue.words->say(device::launch_done);
  queue.asked_nanoseconds = nanoseconds_now();
  return started;
}

}  // namespace airamp::gpu::runtime
