// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/allreduce_call.hpp"

#include "pmpi/datatype_info.hpp"
#include "pmpi/eligibility.hpp"
#include "pmpi/missing_function.hpp"
#include "pmpi/native.hpp"
#include "pmpi/op_info.hpp"
#include "pmpi/predefined_datatypes.hpp"
#include "pmpi/two_shot.hpp"

namespace airamp::pmpi {

std::uint64_t AllreduceCall::bytes() const { return payload_bytes(count_, datatype_); }

std::uint64_t AllreduceCall::equal_arguments() const {
  // "called by all group members using the same arguments for count, datatype, op" (MPI-4.1, 6.9.1)
  const DatatypeInfo* predefined = find_predefined_datatype(datatype_);
  const std::uint64_t size = payload_bytes(1, datatype_);
  const std::uint64_t type = predefined == nullptr ? 0 : predefined->element ? 1 : 2;
  const auto op = predefined_op(op_);
  const std::uint64_t operation = op ? static_cast<std::uint64_t>(*op) : is_predefined_op(op_) ? 3 : 4;
  return (size * 3 + type) * 5 + operation;
}

View AllreduceCall::view() const { return view_of_reduction(datatype_, op_); }

int AllreduceCall::run_native() const {
  if (large_count_ && native().MPI_Allreduce_c != nullptr) {
    return native().MPI_Allreduce_c(sendbuf_, recvbuf_, count_, datatype_, op_, comm_);
  }
  if (!fits_int(count_)) return missing_function("MPI_Allreduce_c", comm_);
  return native().MPI_Allreduce(sendbuf_, recvbuf_, static_cast<int>(count_), datatype_, op_, comm_);
}

const void* AllreduceCall::input() const { return sendbuf_ == MPI_IN_PLACE ? recvbuf_ : sendbuf_; }

std::unique_ptr<Algorithm> AllreduceCall::make_algorithm(const View& view, const Group& group, int tag) const {
  return std::make_unique<TwoShotAllreduce>(job_codec(view.element), view.op, view.element, group.communicator.get(),
                                            group.rank, group.size, tag);
}

int AllreduceCall::run(Algorithm& algorithm) const {
  return static_cast<TwoShotAllreduce&>(algorithm).execute(input(), recvbuf_, static_cast<std::size_t>(count_));
}

int AllreduceCall::run_to_scratch(Algorithm& algorithm, std::byte* scratch) const {
  return static_cast<TwoShotAllreduce&>(algorithm).execute(input(), scratch, static_cast<std::size_t>(count_));
}

ResultError AllreduceCall::compare(const View& view, const std::byte* scratch) const {
  ResultError error;
  error.add(view.element, recvbuf_, scratch, static_cast<std::size_t>(count_));
  return error;
}

}  // namespace airamp::pmpi
