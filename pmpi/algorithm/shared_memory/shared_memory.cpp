// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <memory>

#include "pmpi/algorithm/orders/native_order.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/algorithm/shared_memory/movements/posted_by_root.hpp"
#include "pmpi/algorithm/shared_memory/movements/shared_memory_alltoall.hpp"
#include "pmpi/algorithm/shared_memory/movements/shared_memory_barrier.hpp"
#include "pmpi/algorithm/shared_memory/movements/shared_memory_bcast.hpp"
#include "pmpi/algorithm/shared_memory/movements/shared_memory_exchange.hpp"
#include "pmpi/algorithm/shared_memory/movements/shared_memory_gather.hpp"
#include "pmpi/algorithm/shared_memory/movements/shared_memory_rooted.hpp"
#include "pmpi/algorithm/shared_memory/reductions/posted_reduce.hpp"
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_allreduce.hpp"
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduce_scatter.hpp"
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_scan.hpp"
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_uneven_reduce_scatter.hpp"
#include "pmpi/algorithm/shared_memory/started/started_barrier.hpp"
#include "pmpi/algorithm/shared_memory/started/started_reduction.hpp"
#include "pmpi/call/promised_order.hpp"
#include "pmpi/group/host/kept_host_groups.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/types/alike_values.hpp"

namespace airamp::pmpi {
namespace {

bool is_pair(ReduceOp op) { return op == ReduceOp::maxloc || op == ReduceOp::minloc; }

/// Of calls that are started: those that are not too long, of which nothing but what MPI wants equal on all ranks says
/// how they go, and not where an order of sums is promised, for which all must agree. No pairs, which take more room
/// than they have bytes.
bool can_be_started(const AgreedFacts& facts) {
  const LocalFacts& local = facts.local;
  if (facts.size > StartRing::max_ranks || facts.max_bytes > HostGroup::longest_start(facts.size)) return false;
  if (!reduces(facts.kind)) return true;
  const bool promised = promises_bits(job().settings.reduction_order) && depends_on_order(local.type, local.op);
  return !promised && !is_pair(local.op) && !depends_on_values(local.type, local.op);
}

bool carries(const AgreedFacts& facts) {
  const LocalFacts& local = facts.local;
  if (local.memory != Memory::host || !local.lossless || local.lossy) return false;
  if (is_started(facts.kind) && !can_be_started(facts)) return false;
  if (!reduces(facts.kind)) return true;
  // the MPI library is asked for its order by calls that count in int
  const bool countable = facts.max_bytes / size_of(local.type) <= std::numeric_limits<int>::max() ||
                         job().settings.reduction_order != ReductionOrder::native;
  const bool any_order = !depends_on_order(local.type, local.op);
  // of prefixes, and of blocks of any length, the job promises no order of its own
  const bool has_order = any_order || has_one_order(facts.kind) || !promises_bits(job().settings.reduction_order);
  return countable && reduces_by_tree(local.type, local.op) && has_order;
}

/// Whether the roots of such calls leave their data for who comes later.
bool is_posted_by_root(const Acquisition& acquisition) {
  return fits_root_message(acquisition.kind, acquisition.max_bytes, acquisition.size) &&
         acquisition.resources.broadcasts() != nullptr;
}

/// Whether all but the root leave their data for it: where nothing but what MPI wants equal on all ranks says that a
/// call can be carried. Not pairs, which take more room than they have bytes.
bool is_posted_reduce(const Acquisition& acquisition) {
  const ReduceOp op = acquisition.facts.op;
  return !is_pair(op) && acquisition.kind == Kind::reduce &&
         PostedReduce::is_for(acquisition.max_bytes, acquisition.size) &&
         !depends_on_values(acquisition.facts.type, op) && acquisition.resources.contributions() != nullptr;
}

/// What a rank lays out in chunks of a call of so many bytes.
std::uint64_t laid_out_bytes(const Acquisition& acquisition) {
  if (is_posted_by_root(acquisition) || is_posted_reduce(acquisition) || is_started(acquisition.kind)) return 0;
  const auto ranks = static_cast<std::uint64_t>(acquisition.size);
  switch (acquisition.kind) {
    case Kind::alltoall:
    case Kind::reduce_scatter_block:
      return acquisition.max_bytes * ranks;
    case Kind::reduce_scatter:  // of the average block, rounded down
      return (acquisition.max_bytes + 1) * ranks;
    case Kind::gatherv:
    case Kind::scatterv:
    case Kind::alltoallv:
    case Kind::alltoallw:
      return acquisition.max_bytes + SharedMemoryExchange::bytes_before_streams(acquisition.size);
    default:
      return acquisition.max_bytes;
  }
}

/// Local; throws std::bad_alloc.
std::unique_ptr<Algorithm> make(const Acquisition& acquisition) {
  if (is_posted_by_root(acquisition)) {
    return std::make_unique<PostedByRoot>(acquisition.resources, acquisition.kind);
  }
  switch (acquisition.kind) {
    case Kind::reduce:
      if (is_posted_reduce(acquisition) && acquisition.resources.contributions_tag) {
        return std::make_unique<PostedReduce>(acquisition.resources, acquisition.comm, acquisition.facts,
                                              acquisition.max_bytes,
                                              route_for(acquisition, *acquisition.resources.contributions_tag));
      }
      [[fallthrough]];
    case Kind::allreduce:
      return std::make_unique<SharedMemoryAllreduce>(acquisition.resources, acquisition.comm, acquisition.kind,
                                                     acquisition.facts);
    case Kind::allgather:
    case Kind::allgatherv:
      return std::make_unique<SharedMemoryGather>(acquisition.resources, acquisition.facts);
    case Kind::bcast:
      return std::make_unique<SharedMemoryBcast>(acquisition.resources);
    case Kind::gather:
      return std::make_unique<SharedMemoryRootedGather>(acquisition.resources);
    case Kind::scatter:
      return std::make_unique<SharedMemoryScatter>(acquisition.resources);
    case Kind::alltoall:
      return std::make_unique<SharedMemoryAlltoall>(acquisition.resources);
    case Kind::barrier:
      return std::make_unique<SharedMemoryBarrier>(acquisition.resources);
    case Kind::reduce_scatter_block:
      return std::make_unique<SharedMemoryReduceScatter>(acquisition.resources, acquisition.comm, acquisition.kind,
                                                         acquisition.facts);
    case Kind::reduce_scatter:
      return std::make_unique<SharedMemoryUnevenReduceScatter>(acquisition.resources, acquisition.comm,
                                                               acquisition.kind, acquisition.facts);
    case Kind::scan:
    case Kind::exscan:
      return std::make_unique<SharedMemoryScan>(acquisition.resources, acquisition.comm, acquisition.kind,
                                                acquisition.facts);
    case Kind::gatherv:
    case Kind::scatterv:
    case Kind::alltoallv:
    case Kind::alltoallw:
      return std::make_unique<SharedMemoryExchange>(acquisition.resources, acquisition.kind);
    case Kind::iallreduce:
    case Kind::allreduce_init:
      return std::make_unique<StartedReduction>(acquisition);
    case Kind::ibarrier:
    case Kind::barrier_init:
      return std::make_unique<StartedBarrier>(acquisition.resources);
  }
  return nullptr;
}

Acquired acquire(const Acquisition& acquisition) {
  if (reduces(acquisition.kind) && would_ask_in_vain(acquisition.facts.type, acquisition.facts.op))
    return {.why_not = no_lasting_order};
  MadeOnce<std::shared_ptr<HostGroup>>& group = acquisition.resources.host;
  const int error = make_once(acquisition, group, find_or_create_host_group, "cannot use shared memory");
  if (error != MPI_SUCCESS) return {.error = error};
  if (group.made == nullptr) return {.why_not = "no shared memory: " + group.why_not};
  if (is_started(acquisition.kind)) {
    const Result<bool> made = group.made->make_starts(acquisition.comm, acquisition.max_bytes);
    if (!made.ok()) return {.error = made.error()};
    if (!*made) return {.why_not = "the host has no shared memory for what is started"};
  }
  if (is_posted_reduce(acquisition)) {
    // where the tags have run out, the ranks agree on every call
    const Acquired messages = acquire_messages(acquisition, acquisition.resources.contributions_tag);
    if (messages.error != MPI_SUCCESS) return {.error = messages.error};
  }
  if (laid_out_bytes(acquisition) > group.made->chunk_bytes()) {
    const Result<bool> wide = group.made->widen({acquisition.comm, acquisition.rank});
    if (!wide.ok()) return {.error = wide.error()};
    if (!*wide) return {.why_not = "the host has no shared memory for calls of this length"};
  }
  return acquire_with_scratch(acquisition, [&] { return make(acquisition); });
}

}  // namespace

extern constexpr AlgorithmEntry shared_memory_entry{.order = 5, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
