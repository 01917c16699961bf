// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Whether the MPI library would be asked for its order of such reductions, and has none that lasts: MPICH 5 begins
/// with one on a communicator and goes on with another.
bool would_ask_in_vain(DataType type, ReduceOp op);
inline constexpr const char* no_lasting_order = "the MPI library changes the order of its sums in the course of a run";

/// A reduction whose order of additions the MPI library is asked for.
struct AskedReduction {
  Kind kind;
  MPI_Comm comm;  ///< the application's
  int rank;
  int ranks;
  int operands;          ///< this rank's result is of the first so many ranks: all, but of a prefix
  int root;              ///< of MPI_Reduce
  DataType type;         ///< float32 or float64, or a complex one of such parts
  std::size_t elements;  ///< of the vector; where blocks are scattered of one, which are all of that length
};

/// Finds out in which order the MPI library adds the contributions of the ranks to vectors of that length by asking it:
/// rank i gives 2^80, rank j -2^80, all others 1, and the sum says how many were added after those two had met.
/// Different elements ask of different pairs. `tree` is empty if there was no memory or the order is not the same
/// wherever it was looked at. It is the same on all ranks; of MPI_Reduce_scatter and MPI_Reduce_scatter_block it is
/// that of this rank's block, of MPI_Scan and MPI_Exscan that of its operands.
///
/// Collective, within a call of the application's on the communicator; takes at least one reduction of that length.
/// Returns an MPI error code.
int reveal_order(const AskedReduction& asked, std::optional<SummationTree>& tree);

/// Whether the MPI library adds in the order of `tree`, the same on all ranks, wherever it is looked at. Asks of one
/// pair for each addition, which takes a `ranks / 2`th of the reductions that reveal_order takes, or of the largest
/// sums alone, where it would take more reductions than it may. Of a prefix `tree` is a chain of all ranks, of which
/// each rank's operands are the beginning. Collective likewise; not of MPI_Reduce_scatter and MPI_Reduce_scatter_block.
/// The same on all ranks; false if there was no memory.
Result<bool> confirm_order(const AskedReduction& asked, const SummationTree& tree, std::size_t most_reductions);

/// How many reductions confirm_order takes of vectors of that length, unless it may take fewer.
std::size_t reductions_to_confirm(int ranks, DataType type, std::size_t elements);

/// How many reveal_order takes.
std::size_t reductions_to_reveal(int ranks, DataType type, std::size_t elements);

}  // namespace airamp::pmpi
