// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_rows.hpp"
#include "pmpi/types/datatype_span.hpp"

namespace airamp::pmpi {

/// The arguments that MPI_Gather and MPI_Scatter share.
struct RootedArguments {
  const void* sendbuf;
  MPI_Count sendcount;
  MPI_Datatype sendtype;
  void* recvbuf;
  MPI_Count recvcount;
  MPI_Datatype recvtype;
  int root;
  MPI_Comm comm;
  bool large_count;
};

/// What MPI_Gather and MPI_Scatter have in common: every rank has one block, and the root those of all. Their length is
/// that of a block, as this rank sees it.
class RootedMovement : public CollectiveCall {
 public:
  RootedMovement(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, bool large_count)
      : arguments_{sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, large_count} {}

  MPI_Comm communicator() const override { return arguments_.comm; }
  std::uint64_t bytes() const override;
  int root() const override { return arguments_.root; }
  /// None: ranks may describe the same bytes by different datatypes.
  std::uint64_t equal_arguments() const override { return 0; }
  bool opted_in() const override { return false; }
  bool aliased() const override;
  bool is_refused_alone() const override {
    const Side side = own();
    return side.buffer != MPI_IN_PLACE && are_refused(side.count, side.type);
  }
  LocalFacts facts(Wish wish) const override;

 protected:
  struct Side {
    const void* buffer = nullptr;
    MPI_Count count = 0;
    MPI_Datatype type{};

    std::uint64_t bytes() const;
    /// A rank's block where the side has those of all, and so many blocks from the first on.
    Elements block(int rank) const;
    Elements blocks(int ranks) const;
  };
  /// This rank's own block, as every rank but a root in place describes it, and the root's blocks of all ranks.
  virtual Side own() const = 0;
  virtual Side all() const = 0;

  Side sent() const { return {arguments_.sendbuf, arguments_.sendcount, arguments_.sendtype}; }
  Side received() const { return {arguments_.recvbuf, arguments_.recvcount, arguments_.recvtype}; }
  bool is_root() const { return rank_in(arguments_.comm) == arguments_.root; }
  /// Where so many blocks of a side lie; nothing of what is in place.
  static Span span(const Side& side, int blocks);
  /// At the root: its own block is where those of all are.
  bool in_place() const { return own().buffer == MPI_IN_PLACE; }
  /// Those that matter on this rank alone: what others give may be anything. `own`, `all`: as those functions return
  /// them, which are virtual. Inline: each short call asks.
  CallArguments arguments_of(Kind kind, const Side& own, const Side& all) const {
    const bool root = is_root();
    const bool in_place = own.buffer == MPI_IN_PLACE;
    const Side block = !root || !in_place ? own : Side{};
    const Side blocks = root ? all : Side{};
    return {.kind = kind,
            .in_place = in_place,
            .root = arguments_.root,
            .count = blocks.count,
            .type = blocks.type,
            .sendcount = block.count,
            .sendtype = block.type};
  }

  RootedArguments arguments_;
};

/// MPI_Gather and MPI_Gather_c.
class RootedGatherCall final : public RootedMovement {
 public:
  using RootedMovement::RootedMovement;

  Kind kind() const override { return Kind::gather; }
  Function function() const override { return arguments_.large_count ? Function::MPI_Gather_c : Function::MPI_Gather; }
  std::optional<CallArguments> arguments() const override { return arguments_of(Kind::gather, sent(), received()); }
  Buffers buffers() const override;
  int run_native() const override {
    if (may_need_copies()) [[unlikely]]
      return run_with_copies();
    return run_library(arguments_.sendbuf, arguments_.recvbuf);
  }
  CollectiveData data(const LocalFacts& facts) const override;

 private:
  int run_with_copies() const;
  int run_library(const void* sendbuf, void* recvbuf) const;
  std::vector<Rows> rows_received(int blocks) const;
  Side own() const override { return sent(); }
  Side all() const override { return received(); }
};

/// MPI_Scatter and MPI_Scatter_c.
class ScatterCall final : public RootedMovement {
 public:
  using RootedMovement::RootedMovement;

  Kind kind() const override { return Kind::scatter; }
  Function function() const override {
    return arguments_.large_count ? Function::MPI_Scatter_c : Function::MPI_Scatter;
  }
  std::optional<CallArguments> arguments() const override { return arguments_of(Kind::scatter, received(), sent()); }
  Buffers buffers() const override;
  std::optional<Elements> received_from_root() const override;
  int run_native() const override {
    if (may_need_copies()) [[unlikely]]
      return run_with_copies();
    return run_library(arguments_.sendbuf, arguments_.recvbuf);
  }
  CollectiveData data(const LocalFacts& facts) const override;

 private:
  int run_with_copies() const;
  int run_library(const void* sendbuf, void* recvbuf) const;
  Side own() const override { return received(); }
  Side all() const override { return sent(); }
};

// Inline: what a call takes that stays native.

inline int RootedGatherCall::run_library(const void* sendbuf, void* recvbuf) const {
  const RootedArguments& a = arguments_;
  if (a.large_count && native().MPI_Gather_c != nullptr) [[unlikely]] {
    return native().MPI_Gather_c(sendbuf, a.sendcount, a.sendtype, recvbuf, a.recvcount, a.recvtype, a.root, a.comm);
  }
  if (!fits_int(a.sendcount) || !fits_int(a.recvcount)) [[unlikely]]
    return missing_function("MPI_Gather_c", a.comm);
  return native().MPI_Gather(sendbuf, static_cast<int>(a.sendcount), a.sendtype, recvbuf, static_cast<int>(a.recvcount),
                             a.recvtype, a.root, a.comm);
}

inline int ScatterCall::run_library(const void* sendbuf, void* recvbuf) const {
  const RootedArguments& a = arguments_;
  if (a.large_count && native().MPI_Scatter_c != nullptr) [[unlikely]] {
    return native().MPI_Scatter_c(sendbuf, a.sendcount, a.sendtype, recvbuf, a.recvcount, a.recvtype, a.root, a.comm);
  }
  if (!fits_int(a.sendcount) || !fits_int(a.recvcount)) [[unlikely]]
    return missing_function("MPI_Scatter_c", a.comm);
  return native().MPI_Scatter(sendbuf, static_cast<int>(a.sendcount), a.sendtype, recvbuf,
                              static_cast<int>(a.recvcount), a.recvtype, a.root, a.comm);
}

}  // namespace airamp::pmpi
