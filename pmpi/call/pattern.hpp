// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/peer/collective.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// The data flow of a kind of call, as the GPU plugins name it.
constexpr gpu::Pattern pattern_of(Kind kind) {
  switch (kind) {
    case Kind::allreduce:
      return gpu::Pattern::allreduce;
    case Kind::reduce_scatter_block:
      return gpu::Pattern::reduce_scatter_block;
    case Kind::bcast:
      return gpu::Pattern::bcast;
    case Kind::alltoall:
    case Kind::alltoallv:
    case Kind::alltoallw:
    case Kind::gather:
    case Kind::scatter:
    case Kind::gatherv:
    case Kind::scatterv:
      return gpu::Pattern::alltoallv;
    case Kind::reduce:
      return gpu::Pattern::reduce;
    case Kind::reduce_scatter:
      return gpu::Pattern::reduce_scatter;
    case Kind::scan:
      return gpu::Pattern::scan;
    case Kind::exscan:
      return gpu::Pattern::exscan;
    case Kind::allgather:
    case Kind::allgatherv:
    case Kind::barrier:  // this and what follows are not for GPUs
    case Kind::iallreduce:
    case Kind::ibarrier:
    case Kind::allreduce_init:
    case Kind::barrier_init:
      break;
  }
  return gpu::Pattern::allgather;
}

}  // namespace airamp::pmpi
