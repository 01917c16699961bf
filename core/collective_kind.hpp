// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace airamp {

/// The collectives that AIRamp accelerates.
enum class CollectiveKind : std::uint8_t {
  allreduce,
  allgather,
  allgatherv,
  reduce_scatter_block,
  bcast,
  alltoall,
  alltoallv,
  alltoallw,
  gather,
  scatter,
  gatherv,
  scatterv,
  reduce,
  barrier,
  reduce_scatter,
  scan,
  exscan,
  iallreduce,  // from here on kinds that one call starts and another completes
  ibarrier,
  allreduce_init,
  barrier_init
};

/// In the order of their numbers.
inline constexpr std::array every_kind = {CollectiveKind::allreduce,      CollectiveKind::allgather,
                                          CollectiveKind::allgatherv,     CollectiveKind::reduce_scatter_block,
                                          CollectiveKind::bcast,          CollectiveKind::alltoall,
                                          CollectiveKind::alltoallv,      CollectiveKind::alltoallw,
                                          CollectiveKind::gather,         CollectiveKind::scatter,
                                          CollectiveKind::gatherv,        CollectiveKind::scatterv,
                                          CollectiveKind::reduce,         CollectiveKind::barrier,
                                          CollectiveKind::reduce_scatter, CollectiveKind::scan,
                                          CollectiveKind::exscan,         CollectiveKind::iallreduce,
                                          CollectiveKind::ibarrier,       CollectiveKind::allreduce_init,
                                          CollectiveKind::barrier_init};

/// The name of a kind in reports and metrics: that of the function of MPI; empty for a value that is none.
constexpr std::string_view to_string(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::allreduce:
      return "MPI_Allreduce";
    case CollectiveKind::allgather:
      return "MPI_Allgather";
    case CollectiveKind::allgatherv:
      return "MPI_Allgatherv";
    case CollectiveKind::reduce_scatter_block:
      return "MPI_Reduce_scatter_block";
    case CollectiveKind::bcast:
      return "MPI_Bcast";
    case CollectiveKind::reduce:
      return "MPI_Reduce";
    case CollectiveKind::barrier:
      return "MPI_Barrier";
    case CollectiveKind::alltoall:
      return "MPI_Alltoall";
    case CollectiveKind::gather:
      return "MPI_Gather";
    case CollectiveKind::scatter:
      return "MPI_Scatter";
    case CollectiveKind::reduce_scatter:
      return "MPI_Reduce_scatter";
    case CollectiveKind::scan:
      return "MPI_Scan";
    case CollectiveKind::exscan:
      return "MPI_Exscan";
    case CollectiveKind::gatherv:
      return "MPI_Gatherv";
    case CollectiveKind::scatterv:
      return "MPI_Scatterv";
    case CollectiveKind::alltoallv:
      return "MPI_Alltoallv";
    case CollectiveKind::alltoallw:
      return "MPI_Alltoallw";
    case CollectiveKind::iallreduce:
      return "MPI_Iallreduce";
    case CollectiveKind::ibarrier:
      return "MPI_Ibarrier";
    case CollectiveKind::allreduce_init:
      return "MPI_Allreduce_init";
    case CollectiveKind::barrier_init:
      return "MPI_Barrier_init";
  }
  return {};
}

/// Whether a collective is started by one call and completed by another: a nonblocking or a persistent one.
constexpr bool is_started(CollectiveKind kind) { return kind >= CollectiveKind::iallreduce; }

/// Whether it has no data.
constexpr bool is_barrier(CollectiveKind kind) {
  return kind == CollectiveKind::barrier || kind == CollectiveKind::ibarrier || kind == CollectiveKind::barrier_init;
}

constexpr bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::allreduce || kind == CollectiveKind::reduce_scatter_block ||
         kind == CollectiveKind::reduce || kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::scan ||
         kind == CollectiveKind::exscan || kind == CollectiveKind::iallreduce || kind == CollectiveKind::allreduce_init;
}

/// Of reductions: whether all elements of all results are summed in one order, for which the MPI library can be asked.
/// Of a scan each rank's prefix may have its own, and so may each way to divide a vector; the MPI library is asked all
/// the same for those of prefixes, and of blocks of one length.
constexpr bool has_one_order(CollectiveKind kind) {
  return kind == CollectiveKind::allreduce || kind == CollectiveKind::reduce_scatter_block ||
         kind == CollectiveKind::reduce || kind == CollectiveKind::iallreduce || kind == CollectiveKind::allreduce_init;
}

/// Of reductions: whether each rank gets a block of the result.
constexpr bool scatters(CollectiveKind kind) {
  return kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::reduce_scatter_block;
}

/// Of reductions: whether each rank gets that of the ranks below it, and its own where it is inclusive.
constexpr bool is_prefix(CollectiveKind kind) { return kind == CollectiveKind::scan || kind == CollectiveKind::exscan; }

/// Between whom data go, and so for whom a rank must wait before it can leave a call.
enum class DataFlow : std::uint8_t {
  all_to_all,   ///< no rank leaves before all have come
  root_to_all,  ///< the others wait for the root, which waits for nobody
  all_to_root,  ///< the root waits for the others, which wait for nobody
  some_to_some  ///< each waits for others, which need not be all
};

constexpr DataFlow data_flow_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::allreduce:
    case CollectiveKind::allgather:
    case CollectiveKind::allgatherv:
    case CollectiveKind::reduce_scatter_block:
    case CollectiveKind::barrier:
    case CollectiveKind::alltoall:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::iallreduce:
    case CollectiveKind::ibarrier:
    case CollectiveKind::allreduce_init:
    case CollectiveKind::barrier_init:
      break;
    case CollectiveKind::bcast:
    case CollectiveKind::scatter:
    case CollectiveKind::scatterv:
      return DataFlow::root_to_all;
    case CollectiveKind::reduce:
    case CollectiveKind::gather:
    case CollectiveKind::gatherv:
      return DataFlow::all_to_root;
    case CollectiveKind::scan:
    case CollectiveKind::exscan:
    case CollectiveKind::alltoallv:
    case CollectiveKind::alltoallw:
      return DataFlow::some_to_some;
  }
  return DataFlow::all_to_all;
}

/// Whether GPUs carry calls of a kind.
constexpr bool is_for_gpus(CollectiveKind kind) { return !is_barrier(kind) && !is_started(kind); }

/// Whether the ranks' blocks have lengths that only those know who send and receive them: the ranks tell each other
/// along with the data.
constexpr bool has_blocks_of_any_length(CollectiveKind kind) {
  return kind == CollectiveKind::gatherv || kind == CollectiveKind::scatterv || kind == CollectiveKind::alltoallv ||
         kind == CollectiveKind::alltoallw;
}

/// Whether a call's length is its rank's own, on which nothing may rest before the ranks have compared: receivers that
/// offer more room than is sent, or add to less than they take part in, are wrong, but MPI libraries let them.
constexpr bool has_own_length(CollectiveKind kind) {
  return kind == CollectiveKind::bcast || kind == CollectiveKind::gather || kind == CollectiveKind::scatter ||
         kind == CollectiveKind::scan || kind == CollectiveKind::exscan || has_blocks_of_any_length(kind);
}

/// Whether calls of no bytes may have something to do.
constexpr bool may_be_empty(CollectiveKind kind) {
  const bool is_prefix = kind == CollectiveKind::scan || kind == CollectiveKind::exscan;
  return (has_own_length(kind) && !is_prefix) || is_barrier(kind);
}

/// A call's `bytes`, as far as the ranks may rely on them without having compared.
constexpr std::uint64_t equal_bytes(CollectiveKind kind, std::uint64_t bytes) {
  return has_own_length(kind) ? 0 : bytes;
}

}  // namespace airamp
