// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/reductions/reduce_scatter_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/op_info.hpp"

namespace airamp::pmpi {

MPI_Count ReduceScatterCall::all_elements(int ranks) const {
  if (!recvcounts_.there()) return 0;
  MPI_Count elements = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    if (recvcounts_[rank] < 0) return 0;  // on all ranks
    elements += recvcounts_[rank];
  }
  return elements;
}

std::uint64_t ReduceScatterCall::bytes() const {
  const int ranks = ranks_in(comm_);
  if (ranks <= 0) return 0;
  return static_cast<std::uint64_t>(all_elements(ranks)) * payload_bytes(1, datatype_) /
         static_cast<std::uint64_t>(ranks);
}

std::uint64_t ReduceScatterCall::equal_arguments() const { return reduction_arguments(datatype_, op_); }

std::optional<CallArguments> ReduceScatterCall::arguments() const { return arguments_among(ranks_in(comm_), 0); }

bool ReduceScatterCall::is_even(int ranks) const {
  if (!recvcounts_.there()) return false;
  for (int rank = 1; rank < ranks; ++rank)
    if (recvcounts_[rank] != recvcounts_[0]) return false;
  return true;
}

LocalFacts ReduceScatterCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_reduction(datatype_, op_, wish);
  facts.undecided = facts.undecided && wish.on_gpu;
  if (wish.on_gpu && overwrites_input()) facts.not_as_it_is(Reason::in_place);
  return facts;
}

void ReduceScatterCall::try_operation(const Operands& operands) const { try_user_op(op_, datatype_, operands); }

MPI_Count ReduceScatterCall::own_count() const { return recvcounts_.there() ? recvcounts_[rank_in(comm_)] : 0; }

Buffers ReduceScatterCall::buffers() const { return {input(), own_count() > 0 ? recvbuf_ : input()}; }

bool ReduceScatterCall::overwrites_input() const {
  if (sendbuf_ != MPI_IN_PLACE || !recvcounts_.there()) return false;
  const int ranks = ranks_in(comm_);
  for (int rank = 1; rank < ranks; ++rank)
    if (recvcounts_[rank] > recvcounts_[0]) return true;
  return false;
}

int ReduceScatterCall::run_native() const {
  if (!may_need_copies() || !recvcounts_.there()) return run_library(sendbuf_, recvbuf_);
  const Buffers used = buffers();
  if (!need_copies(used.input, used.output)) return run_library(sendbuf_, recvbuf_);
  // between groups, the recvcounts of the two groups have the same sum (MPI-4.1, 6.10.2)
  const int ranks = ranks_in(comm_);
  MPI_Count elements = 0;
  for (int rank = 0; rank < ranks; ++rank) elements += recvcounts_[rank];
  const bool in_place = sendbuf_ == MPI_IN_PLACE;
  const Span whole = span_of(datatype_, 0, elements);
  const Span result = in_place ? whole : span_of(datatype_, 0, own_count());
  return run_on_host(
      comm_, {sendbuf_, in_place ? Span{} : whole, true}, {recvbuf_, result, in_place},
      [this] { return rows_of(datatype_, 0, own_count()); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

int ReduceScatterCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (!large_count_) {
    return native().MPI_Reduce_scatter(sendbuf, recvbuf, recvcounts_.as<int>(), datatype_, op_, comm_);
  }
  if (native().MPI_Reduce_scatter_c == nullptr) return missing_function("MPI_Reduce_scatter_c", comm_);
  return native().MPI_Reduce_scatter_c(sendbuf, recvbuf, recvcounts_.as<MPI_Count>(), datatype_, op_, comm_);
}

CollectiveData ReduceScatterCall::data(const LocalFacts& facts) const {
  const int ranks = ranks_in(comm_);
  CollectiveData data{.input = input(),
                      .output = recvbuf_,
                      .elements = static_cast<std::size_t>(own_count()) * facts.parts,
                      .blocks = {}};
  data.sent.reserve(static_cast<std::size_t>(ranks));
  const auto* next = static_cast<const std::byte*>(input());
  for (int rank = 0; rank < ranks; ++rank) {
    const std::size_t elements = static_cast<std::size_t>(recvcounts_[rank]) * facts.parts;
    data.sent.push_back({next, elements});
    next += elements * size_of(facts.type);
  }
  return data;
}

}  // namespace airamp::pmpi
