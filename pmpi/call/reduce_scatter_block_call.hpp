// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// MPI_Reduce_scatter_block and MPI_Reduce_scatter_block_c.
class ReduceScatterBlockCall final : public CollectiveCall {
 public:
  ReduceScatterBlockCall(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, bool large_count)
      : sendbuf_(sendbuf),
        recvbuf_(recvbuf),
        recvcount_(recvcount),
        datatype_(datatype),
        op_(op),
        comm_(comm),
        large_count_(large_count) {}

  Kind kind() const override { return Kind::reduce_scatter_block; }
  Function function() const override {
    return large_count_ ? Function::MPI_Reduce_scatter_block_c : Function::MPI_Reduce_scatter_block;
  }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override;
  std::uint64_t equal_arguments() const override;
  std::optional<CallArguments> arguments() const override {
    return CallArguments{.kind = kind(), .op = op_, .count = recvcount_, .type = datatype_};
  }
  bool opted_in() const override { return false; }
  Buffers buffers() const override { return {input(), recvbuf_}; }
  bool is_refused_alone() const override { return op_ == MPI_OP_NULL; }
  bool aliased() const override { return sendbuf_ == recvbuf_ && recvcount_ > 0; }
  LocalFacts facts(Wish wish) const override;
  void try_operation(const Operands& operands) const override;
  int run_native() const override {
    if (may_need_copies()) [[unlikely]]
      return run_with_copies();
    return run_library(sendbuf_, recvbuf_);
  }
  CollectiveData data(const LocalFacts& facts) const override;

 private:
  int run_with_copies() const;
  const void* input() const { return sendbuf_ == MPI_IN_PLACE ? recvbuf_ : sendbuf_; }
  int run_library(const void* sendbuf, void* recvbuf) const;

  const void* sendbuf_;
  void* recvbuf_;
  MPI_Count recvcount_;
  MPI_Datatype datatype_;
  MPI_Op op_;
  MPI_Comm comm_;
  bool large_count_;
};

// Inline: what a call takes that stays native.

inline int ReduceScatterBlockCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (large_count_ && native().MPI_Reduce_scatter_block_c != nullptr) [[unlikely]] {
    return native().MPI_Reduce_scatter_block_c(sendbuf, recvbuf, recvcount_, datatype_, op_, comm_);
  }
  if (!fits_int(recvcount_)) [[unlikely]]
    return missing_function("MPI_Reduce_scatter_block_c", comm_);
  return native().MPI_Reduce_scatter_block(sendbuf, recvbuf, static_cast<int>(recvcount_), datatype_, op_, comm_);
}

}  // namespace airamp::pmpi
