// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The launches of collectives over peer memory by what they do. The queue is ordered, and the ranks are at most
// `max_peers`. Each returns false and says why if its kernel was not started.
#pragma once

#include "gpu/backend.hpp"

namespace airamp::gpu::runtime {

/// Every rank writes its whole vector to all others: reductions of short vectors, without loss.
bool launch_one_shot(Queue& queue, const PeerCollective& c, Error& error);
/// An allreduce, reduce, reduce_scatter or reduce_scatter_block.
bool launch_reduction(Queue& queue, const PeerCollective& c, Error& error);
/// A scan or exscan.
bool launch_prefix(Queue& queue, const PeerCollective& c, Error& error);
bool launch_gather(Queue& queue, const PeerCollective& c, Error& error);
bool launch_alltoall(Queue& queue, const PeerCollective& c, Error& error);
bool launch_broadcast(Queue& queue, const PeerCollective& c, Error& error);

}  // namespace airamp::gpu::runtime
