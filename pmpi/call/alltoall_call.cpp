// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/alltoall_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"

namespace airamp::pmpi {

LocalFacts AlltoallCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_movement(recvtype_, wish);
  facts.type = DataType::byte;  // ranks may describe the same bytes by different types
  if (sendbuf_ == MPI_IN_PLACE) return facts;
  facts.lossless = facts.lossless && facts_of_movement(sendtype_, wish).lossless;
  if (payload_bytes(sendcount_, sendtype_) != bytes()) {
    facts.not_as_it_is(Reason::different_lengths);  // of what it sends to itself: the MPI library's error
  }
  return facts;
}

int AlltoallCall::run_native() const {
  if (large_count_ && native().MPI_Alltoall_c != nullptr) {
    return native().MPI_Alltoall_c(sendbuf_, sendcount_, sendtype_, recvbuf_, recvcount_, recvtype_, comm_);
  }
  if (!fits_int(sendcount_) || !fits_int(recvcount_)) return missing_function("MPI_Alltoall_c", comm_);
  return native().MPI_Alltoall(sendbuf_, static_cast<int>(sendcount_), sendtype_, recvbuf_,
                               static_cast<int>(recvcount_), recvtype_, comm_);
}

CollectiveData AlltoallCall::data(const LocalFacts& /*facts*/) const {
  return {.input = input(),
          .output = recvbuf_,
          .elements = bytes(),
          .blocks = {},
          .outputs = static_cast<std::size_t>(ranks_in(comm_))};
}

}  // namespace airamp::pmpi
