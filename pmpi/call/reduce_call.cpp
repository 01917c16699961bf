// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/reduce_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"

namespace airamp::pmpi {

// "called by all group members using the same arguments for count, datatype, op, root and comm" (MPI-4.1, 6.9.1)
std::uint64_t ReduceCall::equal_arguments() const { return reduction_arguments(datatype_, op_); }

LocalFacts ReduceCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_reduction(datatype_, op_, wish);
  facts.undecided = false;  // user-defined operations are not tried for it
  const bool misplaced = sendbuf_ == MPI_IN_PLACE && !is_root();
  if (root_ < 0 || root_ >= ranks_in(comm_) || misplaced) {
    facts.not_as_it_is(Reason::no_such_root);  // the MPI library's error
  }
  return facts;
}

bool ReduceCall::is_root() const { return rank_in(comm_) == root_; }

int ReduceCall::run_native() const {
  if (large_count_ && native().MPI_Reduce_c != nullptr) {
    return native().MPI_Reduce_c(sendbuf_, recvbuf_, count_, datatype_, op_, root_, comm_);
  }
  if (!fits_int(count_)) return missing_function("MPI_Reduce_c", comm_);
  return native().MPI_Reduce(sendbuf_, recvbuf_, static_cast<int>(count_), datatype_, op_, root_, comm_);
}

CollectiveData ReduceCall::data(const LocalFacts& /*facts*/) const {
  const bool root = is_root();
  return {.input = input(),
          .output = root ? recvbuf_ : nullptr,
          .elements = static_cast<std::size_t>(count_),
          .blocks = {},
          .root = root_,
          .outputs = root ? 1U : 0U};
}

}  // namespace airamp::pmpi
