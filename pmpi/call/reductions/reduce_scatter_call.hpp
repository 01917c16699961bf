// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/exchanges/numbers_by_rank.hpp"

namespace airamp::pmpi {

/// MPI_Reduce_scatter and MPI_Reduce_scatter_c. Its length is that of the average block, as the counts are the same on
/// all ranks (MPI-4.1, 6.10.2).
class ReduceScatterCall final : public CollectiveCall {
 public:
  ReduceScatterCall(const void* sendbuf, void* recvbuf, NumbersByRank recvcounts, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, bool large_count)
      : sendbuf_(sendbuf),
        recvbuf_(recvbuf),
        recvcounts_(recvcounts),
        datatype_(datatype),
        op_(op),
        comm_(comm),
        large_count_(large_count) {}

  Kind kind() const override { return Kind::reduce_scatter; }
  Function function() const override {
    return large_count_ ? Function::MPI_Reduce_scatter_c : Function::MPI_Reduce_scatter;
  }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override;
  std::uint64_t equal_arguments() const override;
  bool opted_in() const override { return false; }
  Buffers buffers() const override { return {input(), recvbuf_}; }
  LocalFacts facts(Wish wish) const override;
  int run_native() const override;
  CollectiveData data(const LocalFacts& facts) const override;

 private:
  const void* input() const { return sendbuf_ == MPI_IN_PLACE ? recvbuf_ : sendbuf_; }

  const void* sendbuf_;
  void* recvbuf_;
  NumbersByRank recvcounts_;
  MPI_Datatype datatype_;
  MPI_Op op_;
  MPI_Comm comm_;
  bool large_count_;
};

}  // namespace airamp::pmpi
