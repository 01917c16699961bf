// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/rooted_exchange.hpp"

#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"

namespace airamp::pmpi {

bool RootedExchange::is_root() const { return rank_in(comm_) == root_; }

Buffers RootedExchange::buffers() const {
  if (!is_root()) return {own_.buffer, own_.buffer};
  return {all_.buffer, own_.buffer == MPI_IN_PLACE ? all_.buffer : own_.buffer};
}

ExchangeCall::Part RootedExchange::all_of(int rank) const {
  if (!is_root()) return {};
  return {.at = element_at(all_.buffer, all_.displacements[rank], all_.type),
          .count = all_.counts[rank],
          .type = all_.type};
}

ExchangeCall::Part RootedExchange::own_of(int rank) const {
  if (rank != root_) return {};
  if (own_.buffer == MPI_IN_PLACE) return all_of(rank);
  return {.at = own_.buffer, .count = own_.count, .type = own_.type};
}

Reason RootedExchange::obstacle() const {
  const bool misplaced = own_.buffer == MPI_IN_PLACE && !is_root();
  const bool wrong = root_ < 0 || root_ >= ranks_in(comm_) || misplaced;
  return wrong ? Reason::no_such_root : Reason::none;  // the MPI library's error
}

int GathervCall::run_native() const {
  void* const receive = const_cast<void*>(all_.buffer);
  if (!large_count_) {
    return native().MPI_Gatherv(own_.buffer, static_cast<int>(own_.count), own_.type, receive, all_.counts.as<int>(),
                                all_.displacements.as<int>(), all_.type, root_, comm_);
  }
  if (native().MPI_Gatherv_c == nullptr) return missing_function("MPI_Gatherv_c", comm_);
  return native().MPI_Gatherv_c(own_.buffer, own_.count, own_.type, receive, all_.counts.as<MPI_Count>(),
                                all_.displacements.as<MPI_Aint>(), all_.type, root_, comm_);
}

int ScattervCall::run_native() const {
  void* const receive = const_cast<void*>(own_.buffer);
  if (!large_count_) {
    return native().MPI_Scatterv(all_.buffer, all_.counts.as<int>(), all_.displacements.as<int>(), all_.type, receive,
                                 static_cast<int>(own_.count), own_.type, root_, comm_);
  }
  if (native().MPI_Scatterv_c == nullptr) return missing_function("MPI_Scatterv_c", comm_);
  return native().MPI_Scatterv_c(all_.buffer, all_.counts.as<MPI_Count>(), all_.displacements.as<MPI_Aint>(), all_.type,
                                 receive, own_.count, own_.type, root_, comm_);
}

}  // namespace airamp::pmpi
