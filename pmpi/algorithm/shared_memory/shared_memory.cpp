// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_allreduce.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_alltoall.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_barrier.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_bcast.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_exchange.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_gather.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_reduce_scatter.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_rooted.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_scan.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_uneven_reduce_scatter.hpp"
#include "pmpi/algorithm/shared_memory/tree_reduction.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

/// MPICH 5 begins with one order of sums on a communicator and goes on with another.
bool library_keeps_an_order() {
  constexpr std::string_view name = "MPICH Version:";
  const std::string& library = job().library_version;
  const std::size_t at = library.find(name);
  return at == std::string::npos || std::strtol(library.c_str() + at + name.size(), nullptr, 10) < 5;
}

/// Each rank's prefix may have an order of its own, and so may each way to divide a vector.
bool order_can_be_asked(Kind kind) {
  return kind != Kind::scan && kind != Kind::exscan && kind != Kind::reduce_scatter;
}

bool carries(const AgreedFacts& facts) {
  const LocalFacts& local = facts.local;
  if (local.memory != Memory::host || !local.lossless || local.lossy) return false;
  const bool countable = facts.max_bytes / size_of(local.type) <= std::numeric_limits<int>::max();
  if (!reduces(facts.kind)) return true;
  const bool any_order = !depends_on_order(local.type, local.op);
  return countable && reduces_by_tree(local.type, local.op) && (any_order || order_can_be_asked(facts.kind));
}

/// Local; throws std::bad_alloc.
std::unique_ptr<Algorithm> make(const Acquisition& acquisition) {
  switch (acquisition.kind) {
    case Kind::allreduce:
    case Kind::reduce:
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
      return std::make_unique<SharedMemoryScan>(acquisition.resources, acquisition.kind, acquisition.facts);
    case Kind::gatherv:
    case Kind::scatterv:
    case Kind::alltoallv:
    case Kind::alltoallw:
      return std::make_unique<SharedMemoryExchange>(acquisition.resources);
  }
  return nullptr;
}

Acquired acquire(const Acquisition& acquisition) {
  if (reduces(acquisition.kind) && depends_on_order(acquisition.facts.type, acquisition.facts.op) &&
      !library_keeps_an_order()) {
    return {.why_not = "the MPI library changes the order of its sums in the course of a run"};
  }
  MadeOnce<std::unique_ptr<HostGroup>>& group = acquisition.resources.host;
  const int error = make_once(acquisition, group, HostGroup::create, "cannot use shared memory");
  if (error != MPI_SUCCESS) return {.error = error};
  if (group.made == nullptr) return {.why_not = "no shared memory: " + group.why_not};
  return acquire_with_scratch(acquisition, [&] { return make(acquisition); });
}

}  // namespace

extern constexpr AlgorithmEntry shared_memory_entry{.order = 5, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
