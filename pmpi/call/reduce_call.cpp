// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/reduce_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/op_info.hpp"

namespace airamp::pmpi {

// "called by all group members using the same arguments for count, datatype, op, root and comm" (MPI-4.1, 6.9.1)
std::uint64_t ReduceCall::equal_arguments() const { return reduction_arguments(datatype_, op_); }

LocalFacts ReduceCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_reduction(datatype_, op_, wish);
  facts.undecided = facts.undecided && wish.on_gpu;
  const bool misplaced = sendbuf_ == MPI_IN_PLACE && !is_root();
  if (root_ < 0 || root_ >= ranks_in(comm_) || misplaced) {
    facts.not_as_it_is(Reason::no_such_root);  // the MPI library's error
  }
  return facts;
}

void ReduceCall::try_operation(const Operands& operands) const { try_user_op(op_, datatype_, operands); }

bool ReduceCall::is_root() const { return rank_in(comm_) == root_; }

int ReduceCall::run_with_copies() const {
  // elsewhere than at the root the receive buffer may be anything
  const bool copies = need_copies(input(), is_root() ? recvbuf_ : input()) && !is_between_groups(comm_);
  if (!copies) return run_library(sendbuf_, recvbuf_);
  const Span span = span_of(datatype_, 0, count_);
  const bool in_place = sendbuf_ == MPI_IN_PLACE;
  return run_on_host(
      comm_, {sendbuf_, in_place ? Span{} : span, true}, {recvbuf_, is_root() ? span : Span{}, in_place},
      [this] { return rows_of(datatype_, 0, count_); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

CollectiveData ReduceCall::data(const LocalFacts& facts) const {
  const bool root = is_root();
  return {.input = input(),
          .output = root ? recvbuf_ : nullptr,
          .elements = static_cast<std::size_t>(count_) * facts.parts,
          .blocks = {},
          .root = root_,
          .outputs = root ? 1U : 0U};
}

}  // namespace airamp::pmpi
