// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// MPI_Bcast and MPI_Bcast_c.
class BcastCall final : public CollectiveCall {
 public:
  BcastCall(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, bool large_count)
      : buffer_(buffer), count_(count), datatype_(datatype), root_(root), comm_(comm), large_count_(large_count) {}

  Kind kind() const override { return Kind::bcast; }
  Function function() const override { return large_count_ ? Function::MPI_Bcast_c : Function::MPI_Bcast; }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override;
  int root() const override { return root_; }
  /// None: ranks may describe the same bytes by different datatypes.
  std::uint64_t equal_arguments() const override { return 0; }
  std::optional<CallArguments> arguments() const override {
    return CallArguments{.kind = kind(), .root = root_, .count = count_, .type = datatype_};
  }
  bool opted_in() const override { return false; }
  Buffers buffers() const override { return {buffer_, buffer_}; }
  bool is_refused_alone() const override { return are_refused(count_, datatype_); }
  std::optional<Elements> received_from_root() const override;
  LocalFacts facts(Wish wish) const override;
  int run_native() const override {
    if (may_need_copies()) [[unlikely]]
      return run_with_copies();
    return run_library(buffer_);
  }
  CollectiveData data(const LocalFacts& facts) const override;

 private:
  int run_with_copies() const;
  bool is_root() const;
  int run_library(void* buffer) const;

  void* buffer_;
  MPI_Count count_;
  MPI_Datatype datatype_;
  int root_;
  MPI_Comm comm_;
  bool large_count_;
};

// Inline: what a call takes that stays native.

inline int BcastCall::run_library(void* buffer) const {
  if (large_count_ && native().MPI_Bcast_c != nullptr) [[unlikely]] {
    return native().MPI_Bcast_c(buffer, count_, datatype_, root_, comm_);
  }
  if (!fits_int(count_)) [[unlikely]]
    return missing_function("MPI_Bcast_c", comm_);
  return native().MPI_Bcast(buffer, static_cast<int>(count_), datatype_, root_, comm_);
}

}  // namespace airamp::pmpi
