// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/allreduce_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/types/op_info.hpp"

namespace airamp::pmpi {

// "called by all group members using the same arguments for count, datatype, op" (MPI-4.1, 6.9.1)
std::uint64_t AllreduceCall::equal_arguments() const { return reduction_arguments(datatype_, op_); }

LocalFacts AllreduceCall::facts(Wish wish) const { return facts_of_reduction(datatype_, op_, wish); }

void AllreduceCall::try_operation(const Operands& operands) const { try_user_op(op_, datatype_, operands); }

int AllreduceCall::run_with_copies() const {
  if (!need_copies(sendbuf_, recvbuf_)) return run_library(sendbuf_, recvbuf_);
  const Span span = span_of(datatype_, 0, count_);
  const bool in_place = sendbuf_ == MPI_IN_PLACE;
  return run_on_host(
      comm_, {sendbuf_, in_place ? Span{} : span, true}, {recvbuf_, span, in_place},
      [this] { return rows_of(datatype_, 0, count_); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

CollectiveData AllreduceCall::data(const LocalFacts& facts) const {
  return {
      .input = input(), .output = recvbuf_, .elements = static_cast<std::size_t>(count_) * facts.parts, .blocks = {}};
}

}  // namespace airamp::pmpi
