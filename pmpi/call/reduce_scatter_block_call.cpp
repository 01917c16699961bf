// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/reduce_scatter_block_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/op_info.hpp"

namespace airamp::pmpi {

std::uint64_t ReduceScatterBlockCall::bytes() const { return payload_bytes(recvcount_, datatype_); }

std::uint64_t ReduceScatterBlockCall::equal_arguments() const { return reduction_arguments(datatype_, op_); }

LocalFacts ReduceScatterBlockCall::facts(Wish wish) const { return facts_of_reduction(datatype_, op_, wish); }

void ReduceScatterBlockCall::try_operation(const Operands& operands) const { try_user_op(op_, datatype_, operands); }

int ReduceScatterBlockCall::run_with_copies() const {
  if (!need_copies(sendbuf_, recvbuf_)) return run_library(sendbuf_, recvbuf_);
  // between groups, the recvcounts of the two groups have the same sum (MPI-4.1, 6.10.1)
  const int blocks = ranks_in(comm_);
  const bool in_place = sendbuf_ == MPI_IN_PLACE;
  const Span whole = span_of(datatype_, 0, recvcount_ * blocks);
  const Span result = in_place ? whole : span_of(datatype_, 0, recvcount_);
  return run_on_host(
      comm_, {sendbuf_, in_place ? Span{} : whole, true}, {recvbuf_, result, in_place},
      [this] { return rows_of(datatype_, 0, recvcount_); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

CollectiveData ReduceScatterBlockCall::data(const LocalFacts& facts) const {
  return {.input = input(),
          .output = recvbuf_,
          .elements = static_cast<std::size_t>(recvcount_) * facts.parts,
          .blocks = {},
          .inputs = static_cast<std::size_t>(ranks_in(comm_))};
}

}  // namespace airamp::pmpi
