// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

/// MPI_Alltoall and MPI_Alltoall_c. Its length is that of one block.
class AlltoallCall final : public CollectiveCall {
 public:
  AlltoallCall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
               MPI_Datatype recvtype, MPI_Comm comm, bool large_count)
      : sendbuf_(sendbuf),
        sendcount_(sendcount),
        sendtype_(sendtype),
        recvbuf_(recvbuf),
        recvcount_(recvcount),
        recvtype_(recvtype),
        comm_(comm),
        large_count_(large_count) {}

  Kind kind() const override { return Kind::alltoall; }
  Function function() const override { return large_count_ ? Function::MPI_Alltoall_c : Function::MPI_Alltoall; }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override { return payload_bytes(recvcount_, recvtype_); }
  /// None: ranks may describe the same bytes by different datatypes.
  std::uint64_t equal_arguments() const override { return 0; }
  std::optional<CallArguments> arguments() const override {
    return CallArguments{.kind = kind(),
                         .in_place = sendbuf_ == MPI_IN_PLACE,
                         .count = recvcount_,
                         .type = recvtype_,
                         .sendcount = sendbuf_ == MPI_IN_PLACE ? 0 : sendcount_,
                         .sendtype = sendbuf_ == MPI_IN_PLACE ? MPI_Datatype{} : sendtype_};
  }
  bool opted_in() const override { return false; }
  Buffers buffers() const override { return {input(), recvbuf_}; }
  bool is_refused_alone() const override { return sendbuf_ != MPI_IN_PLACE && are_refused(sendcount_, sendtype_); }
  bool aliased() const override {
    return sendbuf_ == recvbuf_ && sendtype_ == recvtype_ && sendcount_ == recvcount_ && recvcount_ > 0;
  }
  LocalFacts facts(Wish wish) const override;
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
  MPI_Count sendcount_;
  MPI_Datatype sendtype_;
  void* recvbuf_;
  MPI_Count recvcount_;
  MPI_Datatype recvtype_;
  MPI_Comm comm_;
  bool large_count_;
};

// Inline: what a call takes that stays native.

inline int AlltoallCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (large_count_ && native().MPI_Alltoall_c != nullptr) [[unlikely]] {
    return native().MPI_Alltoall_c(sendbuf, sendcount_, sendtype_, recvbuf, recvcount_, recvtype_, comm_);
  }
  if (!fits_int(sendcount_) || !fits_int(recvcount_)) [[unlikely]]
    return missing_function("MPI_Alltoall_c", comm_);
  return native().MPI_Alltoall(sendbuf, static_cast<int>(sendcount_), sendtype_, recvbuf, static_cast<int>(recvcount_),
                               recvtype_, comm_);
}

}  // namespace airamp::pmpi
