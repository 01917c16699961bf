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
  std::optional<CallArguments> arguments() const override;
  /// On a rank of a communicator of so many ranks.
  std::optional<CallArguments> arguments_among(int ranks, int /*rank*/) const {
    return CallArguments{.kind = kind(), .op = op_, .count = all_elements(ranks), .type = datatype_};
  }
  /// Whether all blocks have one length.
  bool is_even(int ranks) const;
  bool opted_in() const override { return false; }
  /// Who gets nothing need not have a receive buffer.
  Buffers buffers() const override;
  bool is_refused_alone() const override { return op_ == MPI_OP_NULL; }
  bool aliased() const override { return sendbuf_ == recvbuf_ && bytes() > 0; }
  LocalFacts facts(Wish wish) const override;
  void try_operation(const Operands& operands) const override;
  int run_native() const override;
  CollectiveData data(const LocalFacts& facts) const override;

 private:
  const void* input() const { return sendbuf_ == MPI_IN_PLACE ? recvbuf_ : sendbuf_; }
  MPI_Count own_count() const;
  /// Of all ranks; 0 if the counts are the MPI library's error.
  MPI_Count all_elements(int ranks) const;
  /// Whether a rank's result comes to lie, in place, on numbers for others than rank 0, which GPUs may not have read.
  bool overwrites_input() const;
  int run_library(const void* sendbuf, void* recvbuf) const;

  const void* sendbuf_;
  void* recvbuf_;
  NumbersByRank recvcounts_;
  MPI_Datatype datatype_;
  MPI_Op op_;
  MPI_Comm comm_;
  bool large_count_;
};

}  // namespace airamp::pmpi
