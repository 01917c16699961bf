// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

/// MPI_Scan, MPI_Exscan and their large-count forms. Of an exclusive one the first rank gets nothing.
class ScanCall final : public CollectiveCall {
 public:
  enum class Ranks : std::uint8_t { including_own, below_own };

  ScanCall(Ranks ranks, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm, bool large_count)
      : ranks_(ranks),
        sendbuf_(sendbuf),
        recvbuf_(recvbuf),
        count_(count),
        datatype_(datatype),
        op_(op),
        comm_(comm),
        large_count_(large_count) {}

  Kind kind() const override { return ranks_ == Ranks::including_own ? Kind::scan : Kind::exscan; }
  Function function() const override;
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override { return payload_bytes(count_, datatype_); }
  std::uint64_t equal_arguments() const override;
  std::optional<CallArguments> arguments() const override;
  bool opted_in() const override { return false; }
  Buffers buffers() const override;
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
  const void* input() const { return sendbuf_ == MPI_IN_PLACE ? recvbuf_ : sendbuf_; }
  bool gets_result() const;
  int run_library(const void* sendbuf, void* recvbuf) const;

  Ranks ranks_;
  const void* sendbuf_;
  void* recvbuf_;
  MPI_Count count_;
  MPI_Datatype datatype_;
  MPI_Op op_;
  MPI_Comm comm_;
  bool large_count_;
};

// Inline: what a call takes that stays native.

inline int ScanCall::run_library(const void* sendbuf, void* recvbuf) const {
  const bool inclusive = ranks_ == Ranks::including_own;
  if (!large_count_) {
    const auto scan = inclusive ? native().MPI_Scan : native().MPI_Exscan;
    return scan(sendbuf, recvbuf, static_cast<int>(count_), datatype_, op_, comm_);
  }
  const auto scan = inclusive ? native().MPI_Scan_c : native().MPI_Exscan_c;
  if (scan == nullptr) return missing_function(inclusive ? "MPI_Scan_c" : "MPI_Exscan_c", comm_);
  return scan(sendbuf, recvbuf, count_, datatype_, op_, comm_);
}

}  // namespace airamp::pmpi
