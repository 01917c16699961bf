// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/exchanges/blocks_by_rank.hpp"
#include "pmpi/call/exchanges/exchange_call.hpp"

namespace airamp::pmpi {

/// MPI_Alltoallv and MPI_Alltoallv_c. In place they are the MPI library's.
class AlltoallvCall final : public ExchangeCall {
 public:
  using Side = BlocksByRank;
  AlltoallvCall(const Side& send, const Side& receive, MPI_Comm comm, bool large_count)
      : ExchangeCall(comm, large_count), send_(send), receive_(receive) {}

  Kind kind() const override { return Kind::alltoallv; }
  Function function() const override { return large_count_ ? Function::MPI_Alltoallv_c : Function::MPI_Alltoallv; }
  Buffers buffers() const override;
  bool aliased() const override {
    return send_.buffer == receive_.buffer && send_.type == receive_.type && send_.counts.are(receive_.counts);
  }
  int run_native() const override;

 private:
  Part sent_to(int rank, Look& look) const override { return part(send_, rank, look); }
  Part received_from(int rank, Look& look) const override { return part(receive_, rank, look); }
  Reason obstacle() const override;
  static Part part(const Side& side, int rank, Look& look);
  int run_library(const void* sendbuf, void* recvbuf) const;

  Side send_;
  Side receive_;
};

/// MPI_Alltoallw and MPI_Alltoallw_c. In place they are the MPI library's.
class AlltoallwCall final : public ExchangeCall {
 public:
  using Side = TypedBlocksByRank;
  AlltoallwCall(const Side& send, const Side& receive, MPI_Comm comm, bool large_count)
      : ExchangeCall(comm, large_count), send_(send), receive_(receive) {}

  Kind kind() const override { return Kind::alltoallw; }
  Function function() const override { return large_count_ ? Function::MPI_Alltoallw_c : Function::MPI_Alltoallw; }
  Buffers buffers() const override;
  bool aliased() const override {
    return send_.buffer == receive_.buffer && send_.types == receive_.types && send_.counts.are(receive_.counts);
  }
  int run_native() const override;

 private:
  Part sent_to(int rank, Look& look) const override { return part(send_, rank, look); }
  Part received_from(int rank, Look& look) const override { return part(receive_, rank, look); }
  Reason obstacle() const override;
  static Part part(const Side& side, int rank, Look& look);
  int run_library(const void* sendbuf, void* recvbuf) const;

  Side send_;
  Side receive_;
};

}  // namespace airamp::pmpi
