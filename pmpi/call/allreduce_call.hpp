// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

/// MPI_Allreduce and MPI_Allreduce_c.
class AllreduceCall final : public CollectiveCall {
 public:
  AllreduceCall(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                bool large_count)
      : sendbuf_(sendbuf),
        recvbuf_(recvbuf),
        count_(count),
        datatype_(datatype),
        op_(op),
        comm_(comm),
        large_count_(large_count) {}

  Kind kind() const override { return Kind::allreduce; }
  Function function() const override { return large_count_ ? Function::MPI_Allreduce_c : Function::MPI_Allreduce; }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override { return payload_bytes(count_, datatype_); }
  std::uint64_t equal_arguments() const override;
  std::optional<CallArguments> arguments() const override {
    return CallArguments{.kind = kind(), .op = op_, .count = count_, .type = datatype_};
  }
  bool opted_in() const override { return job().settings.enable_fp8_allreduce; }
  Buffers buffers() const override { return {input(), recvbuf_}; }
  bool is_refused_alone() const override { return op_ == MPI_OP_NULL; }
  bool aliased() const override { return sendbuf_ == recvbuf_ && count_ > 0; }
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
  int run_library(const void* sendbuf, void* recvbuf) const;
  const void* input() const { return sendbuf_ == MPI_IN_PLACE ? recvbuf_ : sendbuf_; }

  const void* sendbuf_;
  void* recvbuf_;
  MPI_Count count_;
  MPI_Datatype datatype_;
  MPI_Op op_;
  MPI_Comm comm_;
  bool large_count_;
};

// Inline: what a call takes that stays native.

inline int AllreduceCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (large_count_ && native().MPI_Allreduce_c != nullptr) [[unlikely]] {
    return native().MPI_Allreduce_c(sendbuf, recvbuf, count_, datatype_, op_, comm_);
  }
  if (!fits_int(count_)) [[unlikely]]
    return missing_function("MPI_Allreduce_c", comm_);
  return native().MPI_Allreduce(sendbuf, recvbuf, static_cast<int>(count_), datatype_, op_, comm_);
}

}  // namespace airamp::pmpi
