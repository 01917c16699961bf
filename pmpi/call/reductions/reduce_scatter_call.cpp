// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/reductions/reduce_scatter_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

std::uint64_t ReduceScatterCall::bytes() const {
  const int ranks = ranks_in(comm_);
  if (ranks <= 0 || !recvcounts_.there()) return 0;
  std::uint64_t elements = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    if (recvcounts_[rank] < 0) return 0;  // the MPI library's error, on all ranks
    elements += static_cast<std::uint64_t>(recvcounts_[rank]);
  }
  return elements * payload_bytes(1, datatype_) / static_cast<std::uint64_t>(ranks);
}

std::uint64_t ReduceScatterCall::equal_arguments() const { return reduction_arguments(datatype_, op_); }

LocalFacts ReduceScatterCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_reduction(datatype_, op_, wish);
  facts.undecided = false;  // user-defined operations are not tried for it
  return facts;
}

int ReduceScatterCall::run_native() const {
  if (!large_count_) {
    return native().MPI_Reduce_scatter(sendbuf_, recvbuf_, recvcounts_.as<int>(), datatype_, op_, comm_);
  }
  if (native().MPI_Reduce_scatter_c == nullptr) return missing_function("MPI_Reduce_scatter_c", comm_);
  return native().MPI_Reduce_scatter_c(sendbuf_, recvbuf_, recvcounts_.as<MPI_Count>(), datatype_, op_, comm_);
}

CollectiveData ReduceScatterCall::data(const LocalFacts& facts) const {
  const int ranks = ranks_in(comm_);
  CollectiveData data{.input = input(),
                      .output = recvbuf_,
                      .elements = static_cast<std::size_t>(recvcounts_[rank_in(comm_)]),
                      .blocks = {}};
  data.sent.reserve(static_cast<std::size_t>(ranks));
  const auto* next = static_cast<const std::byte*>(input());
  for (int rank = 0; rank < ranks; ++rank) {
    const auto elements = static_cast<std::size_t>(recvcounts_[rank]);
    data.sent.push_back({next, elements});
    next += elements * size_of(facts.type);
  }
  return data;
}

}  // namespace airamp::pmpi
