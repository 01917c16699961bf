// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/rooted_exchange.hpp"

#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"

namespace airamp::pmpi {

bool RootedExchange::is_root() const { return rank_in(comm_) == root_; }

Buffers RootedExchange::buffers() const {
  if (!is_root()) return {own_.buffer, own_.buffer};
  return {all_.buffer, own_.buffer == MPI_IN_PLACE ? all_.buffer : own_.buffer};
}

bool RootedExchange::aliased() const {
  if (own_.type != all_.type || own_.count <= 0 || is_in_place() || !is_root()) return false;
  if (obstacle() != Reason::none || all_.counts[root_] <= 0) return false;
  Look look(comm_);
  return own_.buffer == all_of(root_, look).at;
}

ExchangeCall::Part RootedExchange::all_of(int rank, Look& look) const {
  if (look.rank() != root_) return {};
  return look.behind(all_.buffer, all_.displacements[rank], all_.counts[rank], all_.type);
}

ExchangeCall::Part RootedExchange::own_of(int rank, Look& look) const {
  if (rank != root_) return {};
  if (own_.buffer == MPI_IN_PLACE) return all_of(rank, look);
  return look.at(own_.buffer, own_.count, own_.type);
}

Reason RootedExchange::obstacle() const {
  const bool misplaced = own_.buffer == MPI_IN_PLACE && !is_root();
  const bool wrong = root_ < 0 || root_ >= ranks_in(comm_) || misplaced;
  if (wrong) return Reason::no_such_root;  // the MPI library's error
  const bool there = !is_root() || (all_.counts.there() && all_.displacements.there());
  return there ? Reason::none : Reason::no_data;  // likewise
}

bool RootedExchange::needs_copies() const {
  if (!may_need_copies() || is_between_groups(comm_) || obstacle() != Reason::none) return false;
  const void* const own = is_in_place() ? all_.buffer : own_.buffer;
  return need_copies(own, is_root() ? all_.buffer : own);
}

Span RootedExchange::own_span() const { return is_in_place() ? Span{} : span_of(own_.type, 0, own_.count); }

int RootedExchange::blocks_of_all() const { return is_root() ? ranks_in(comm_) : 0; }

int GathervCall::run_native() const {
  void* const receive = const_cast<void*>(all_.buffer);
  if (!needs_copies()) return run_library(own_.buffer, receive);
  const int blocks = blocks_of_all();
  return run_on_host(
      comm_, {own_.buffer, own_span(), true}, {receive, span_of(all_, blocks), is_in_place()},
      [&] { return rows_of(all_, blocks, is_in_place() ? root_ : MPI_PROC_NULL); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

int GathervCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (!large_count_) {
    return native().MPI_Gatherv(sendbuf, static_cast<int>(own_.count), own_.type, recvbuf, all_.counts.as<int>(),
                                all_.displacements.as<int>(), all_.type, root_, comm_);
  }
  if (native().MPI_Gatherv_c == nullptr) return missing_function("MPI_Gatherv_c", comm_);
  return native().MPI_Gatherv_c(sendbuf, own_.count, own_.type, recvbuf, all_.counts.as<MPI_Count>(),
                                all_.displacements.as<MPI_Aint>(), all_.type, root_, comm_);
}

std::optional<Elements> ScattervCall::received_from_root() const {
  if (is_in_place() && is_root()) return std::nullopt;
  return Elements{.at = const_cast<void*>(own_.buffer), .count = own_.count, .type = own_.type};
}

int ScattervCall::run_native() const {
  void* const receive = const_cast<void*>(own_.buffer);
  if (!needs_copies()) return run_library(all_.buffer, receive);
  return run_on_host(
      comm_, {all_.buffer, span_of(all_, blocks_of_all()), true}, {receive, own_span(), false},
      [&] { return is_in_place() ? std::vector<Rows>{} : rows_of(own_.type, 0, own_.count); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

int ScattervCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (!large_count_) {
    return native().MPI_Scatterv(sendbuf, all_.counts.as<int>(), all_.displacements.as<int>(), all_.type, recvbuf,
                                 static_cast<int>(own_.count), own_.type, root_, comm_);
  }
  if (native().MPI_Scatterv_c == nullptr) return missing_function("MPI_Scatterv_c", comm_);
  return native().MPI_Scatterv_c(sendbuf, all_.counts.as<MPI_Count>(), all_.displacements.as<MPI_Aint>(), all_.type,
                                 recvbuf, own_.count, own_.type, root_, comm_);
}

}  // namespace airamp::pmpi
