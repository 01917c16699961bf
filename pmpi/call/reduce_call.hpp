// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

/// MPI_Reduce and MPI_Reduce_c.
class ReduceCall final : public CollectiveCall {
 public:
  ReduceCall(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
             MPI_Comm comm, bool large_count)
      : sendbuf_(sendbuf),
        recvbuf_(recvbuf),
        count_(count),
        datatype_(datatype),
        op_(op),
        root_(root),
        comm_(comm),
        large_count_(large_count) {}

  Kind kind() const override { return Kind::reduce; }
  Function function() const override { return large_count_ ? Function::MPI_Reduce_c : Function::MPI_Reduce; }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override {
    return root_ == MPI_PROC_NULL ? 0 : payload_bytes(count_, datatype_);  // between groups, some ranks have no data
  }
  int root() const override { return root_; }
  /// The same of so many elements.
  ReduceCall of(MPI_Count count) const {
    return {sendbuf_, recvbuf_, count, datatype_, op_, root_, comm_, large_count_};
  }
  std::uint64_t equal_arguments() const override;
  std::optional<CallArguments> arguments() const override {
    return CallArguments{.kind = kind(),
                         .in_place = sendbuf_ == MPI_IN_PLACE,
                         .root = root_,
                         .op = op_,
                         .count = count_,
                         .type = datatype_};
  }
  bool opted_in() const override { return false; }
  const void* input() const { return sendbuf_ == MPI_IN_PLACE ? recvbuf_ : sendbuf_; }
  void* root_output() const { return recvbuf_; }
  MPI_Datatype type() const { return datatype_; }
  Buffers buffers() const override { return {input(), is_root() ? recvbuf_ : input()}; }
  bool is_refused_alone() const override { return op_ == MPI_OP_NULL; }
  bool aliased() const override { return sendbuf_ == recvbuf_ && count_ > 0 && is_root(); }
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
  bool is_root() const;
  int run_library(const void* sendbuf, void* recvbuf) const;

  const void* sendbuf_;
  void* recvbuf_;  ///< of the root
  MPI_Count count_;
  MPI_Datatype datatype_;
  MPI_Op op_;
  int root_;
  MPI_Comm comm_;
  bool large_count_;
};

// Inline: what a call takes that stays native.

inline int ReduceCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (large_count_ && native().MPI_Reduce_c != nullptr) [[unlikely]] {
    return native().MPI_Reduce_c(sendbuf, recvbuf, count_, datatype_, op_, root_, comm_);
  }
  if (!fits_int(count_)) [[unlikely]]
    return missing_function("MPI_Reduce_c", comm_);
  return native().MPI_Reduce(sendbuf, recvbuf, static_cast<int>(count_), datatype_, op_, root_, comm_);
}

}  // namespace airamp::pmpi
