// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/exchanges/blocks_by_rank.hpp"
#include "pmpi/call/exchanges/exchange_call.hpp"

namespace airamp::pmpi {

/// What MPI_Gatherv and MPI_Scatterv have in common: every rank has one block, and the root those of all.
class RootedExchange : public ExchangeCall {
 public:
  /// A rank's own block. At a root in place there is none beside those of all.
  struct Own {
    const void* buffer;
    MPI_Count count;
    MPI_Datatype type;
  };
  /// The blocks of all, of significance at the root alone.
  using All = BlocksByRank;
  RootedExchange(const Own& own, const All& all, int root, MPI_Comm comm, bool large_count)
      : ExchangeCall(comm, large_count), own_(own), all_(all), root_(root) {}

  int root() const override { return root_; }
  Buffers buffers() const override;
  bool aliased() const override;

 protected:
  /// Whether the MPI library cannot read what matters of the buffers on this rank. What does not may be anything.
  bool needs_copies() const;
  /// Of this rank's own block; nothing of one in place.
  Span own_span() const;
  /// How many blocks matter on this rank that are those of all.
  int blocks_of_all() const;
  bool is_in_place() const { return own_.buffer == MPI_IN_PLACE; }
  bool is_root() const;
  /// This rank's own block if it goes to or comes from `rank`, else nothing.
  Part own_of(int rank, Look& look) const;
  /// Rank `rank`'s block at the root, else nothing.
  Part all_of(int rank, Look& look) const;
  int only_peer(const Look& look) const override { return look.rank() == root_ ? -1 : root_; }
  Reason obstacle() const override;

  Own own_;
  All all_;
  int root_;
};

/// MPI_Gatherv and MPI_Gatherv_c.
class GathervCall final : public RootedExchange {
 public:
  using RootedExchange::RootedExchange;

  Kind kind() const override { return Kind::gatherv; }
  Function function() const override { return large_count_ ? Function::MPI_Gatherv_c : Function::MPI_Gatherv; }
  int run_native() const override;

 private:
  int run_library(const void* sendbuf, void* recvbuf) const;
  Part sent_to(int rank, Look& look) const override { return own_of(rank, look); }
  Part received_from(int rank, Look& look) const override { return all_of(rank, look); }
};

/// MPI_Scatterv and MPI_Scatterv_c.
class ScattervCall final : public RootedExchange {
 public:
  using RootedExchange::RootedExchange;

  Kind kind() const override { return Kind::scatterv; }
  Function function() const override { return large_count_ ? Function::MPI_Scatterv_c : Function::MPI_Scatterv; }
  int run_native() const override;

 private:
  int run_library(const void* sendbuf, void* recvbuf) const;
  Part sent_to(int rank, Look& look) const override { return all_of(rank, look); }
  Part received_from(int rank, Look& look) const override { return own_of(rank, look); }
};

}  // namespace airamp::pmpi
