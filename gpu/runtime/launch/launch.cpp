// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime/launch/launch.hpp"

#include "gpu/runtime/kernels.hpp"
#include "gpu/runtime/launch/patterns.hpp"
#include "gpu/runtime/launch/ring.hpp"

namespace airamp::gpu::runtime {

bool launch(Queue* queue, const PeerCollective& collective, Error& error) noexcept {
  if (collective.size < 1 || collective.size > max_peers) return refuse("too many ranks", error);
  if (!order_if_nobody_has(queue, error)) return false;
  if (collective.shots == Shots::one) return launch_one_shot(*queue, collective, error);
  switch (collective.pattern) {
    case Pattern::allreduce:
    case Pattern::reduce_scatter_block:
    case Pattern::reduce:
    case Pattern::reduce_scatter:
      return launch_reduction(*queue, collective, error);
    case Pattern::scan:
    case Pattern::exscan:
      return launch_prefix(*queue, collective, error);
    case Pattern::allgather:
      return launch_gather(*queue, collective, error);
    case Pattern::bcast:
      return launch_broadcast(*queue, collective, error);
    case Pattern::alltoallv:
      return launch_alltoall(*queue, collective, error);
  }
  return refuse("unknown pattern", error);
}

bool launch_ghost(Queue* queue, Error& error) noexcept {
  device::GhostArguments a;
  return start_kernel(*queue, ghost_kernel(), Grid{.blocks = 1, .threads = 32}, a, error);
}

}  // namespace airamp::gpu::runtime
