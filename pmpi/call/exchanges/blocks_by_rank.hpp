// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/call/exchanges/numbers_by_rank.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/types/datatype_rows.hpp"
#include "pmpi/types/datatype_span.hpp"

namespace airamp::pmpi {

/// A buffer that has a block for every rank, as MPI_Alltoallv and MPI_Gatherv take it.
struct BlocksByRank {
  const void* buffer;
  NumbersByRank counts;
  NumbersByRank displacements;  ///< in elements of the type
  MPI_Datatype type;
};

/// The same as MPI_Alltoallw takes it.
struct TypedBlocksByRank {
  const void* buffer;
  NumbersByRank counts;
  NumbersByRank displacements;  ///< in bytes
  const MPI_Datatype* types;
};

/// Where the blocks of ranks 0 ... ranks - 1 lie; nothing if they are in place, which the other buffer says.
Span span_of(const BlocksByRank& blocks, int ranks);
Span span_of(const TypedBlocksByRank& blocks, int ranks);

/// The bytes that they consist of, but for the block of rank `skipped`. Throws std::bad_alloc.
std::vector<Rows> rows_of(const BlocksByRank& blocks, int ranks, int skipped = MPI_PROC_NULL);
std::vector<Rows> rows_of(const TypedBlocksByRank& blocks, int ranks);

}  // namespace airamp::pmpi
