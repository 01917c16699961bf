// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/exchanges/plain_blocks.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_rows.hpp"
#include "pmpi/types/datatype_span.hpp"

namespace airamp::pmpi {

/// The arguments that the gathers share.
struct GatherArguments {
  const void* sendbuf;
  MPI_Count sendcount;
  MPI_Datatype sendtype;
  void* recvbuf;
  MPI_Datatype recvtype;
  MPI_Comm comm;
  bool large_count;
};

/// What MPI_Allgather and MPI_Allgatherv have in common.
class GatherCall : public CollectiveCall {
 public:
  explicit GatherCall(const GatherArguments& arguments) : arguments_(arguments) {}

  MPI_Comm communicator() const override { return arguments_.comm; }
  /// None: ranks may describe the same bytes by different datatypes.
  std::uint64_t equal_arguments() const override { return 0; }
  bool opted_in() const override { return job().settings.enable_fp8_allgather; }
  Buffers buffers() const override;
  bool aliased() const override;
  bool is_refused_alone() const override {
    return arguments_.sendbuf != MPI_IN_PLACE && are_refused(arguments_.sendcount, arguments_.sendtype);
  }
  LocalFacts facts(Wish wish) const override;
  int run_native() const override {
    if (may_need_copies()) [[unlikely]]
      return run_with_copies();
    return run_library(arguments_.sendbuf, arguments_.recvbuf);
  }
  CollectiveData data(const LocalFacts& facts) const override;

 protected:
  /// Where rank `rank`'s elements go in the receive buffer, in elements of the receive type.
  struct Place {
    std::ptrdiff_t offset;
    std::uint64_t elements;
  };
  virtual Place place(int rank) const = 0;
  /// How many those of all ranks are.
  virtual MPI_Count elements_of_all() const = 0;
  virtual int run_library(const void* sendbuf, void* recvbuf) const = 0;
  /// `count`: of the elements received.
  CallArguments arguments_with(MPI_Count count) const {
    const bool in_place = arguments_.sendbuf == MPI_IN_PLACE;
    return {.kind = kind(),
            .in_place = in_place,
            .count = count,
            .type = arguments_.recvtype,
            .sendcount = in_place ? 0 : arguments_.sendcount,
            .sendtype = in_place ? MPI_Datatype{} : arguments_.sendtype};
  }
  /// Whether this rank sends as many bytes as it receives from itself, as MPI wants it: who sends less has no more to
  /// be read, and in Open MPI the others keep what they have behind it.
  bool fills_own_block(std::uint64_t elements) const;

  GatherArguments arguments_;

 private:
  int run_with_copies() const;
  Span received() const;
  std::vector<Rows> received_rows() const;
};

/// MPI_Allgather and MPI_Allgather_c.
class AllgatherCall final : public GatherCall {
 public:
  AllgatherCall(const GatherArguments& arguments, MPI_Count recvcount) : GatherCall(arguments), recvcount_(recvcount) {}

  Kind kind() const override { return Kind::allgather; }
  Function function() const override {
    return arguments_.large_count ? Function::MPI_Allgather_c : Function::MPI_Allgather;
  }
  std::uint64_t bytes() const override;
  std::optional<CallArguments> arguments() const override { return arguments_with(recvcount_); }

 private:
  Place place(int rank) const override;
  MPI_Count elements_of_all() const override;
  int run_library(const void* sendbuf, void* recvbuf) const override;

  MPI_Count recvcount_;
};

/// MPI_Allgatherv (counts and displacements of type int) and MPI_Allgatherv_c (MPI_Count and MPI_Aint).
template <class Count, class Displacement>
class AllgathervCall final : public GatherCall {
 public:
  AllgathervCall(const GatherArguments& arguments, const Count* recvcounts, const Displacement* displs)
      : GatherCall(arguments), recvcounts_(recvcounts), displs_(displs) {}

  Kind kind() const override { return Kind::allgatherv; }
  Function function() const override {
    return arguments_.large_count ? Function::MPI_Allgatherv_c : Function::MPI_Allgatherv;
  }
  std::uint64_t bytes() const override;
  std::optional<CallArguments> arguments() const override;
  /// On a rank of a communicator of so many ranks.
  std::optional<CallArguments> arguments_among(int ranks, int rank) const;

  /// Bytes of an element of a block where all lie in memory as they are sent, of predefined types, and so may be
  /// copied; 0 if not.
  std::size_t plain_element() const {
    const bool sends_plain = arguments_.sendbuf == MPI_IN_PLACE || arguments_.sendtype == arguments_.recvtype ||
                             plain_element_bytes(arguments_.sendtype) > 0;
    return sends_plain ? plain_element_bytes(arguments_.recvtype) : 0;
  }
  /// Of elements of so many bytes, where a rank's block goes, and its bytes.
  GatherBlock plain_block(int rank, std::size_t element) const {
    if (recvcounts_[rank] == 0) return {};
    return received_block(arguments_.recvbuf, displs_[rank] * static_cast<std::int64_t>(element),
                          static_cast<std::size_t>(recvcounts_[rank]) * element);
  }
  /// Elements of the longest block; more than there is memory for if a count is negative.
  std::size_t longest_block(int ranks) const {
    std::size_t elements = 0;
    for (int rank = 0; rank < ranks; ++rank) elements = std::max(elements, static_cast<std::size_t>(recvcounts_[rank]));
    return elements;
  }

 private:
  /// Of `ranks` ranks.
  std::uint64_t all_elements(int ranks) const;
  Place place(int rank) const override;
  MPI_Count elements_of_all() const override;
  int run_library(const void* sendbuf, void* recvbuf) const override;

  const Count* recvcounts_;
  const Displacement* displs_;
};

using PlainAllgathervCall = AllgathervCall<int, int>;
using LargeAllgathervCall = AllgathervCall<MPI_Count, MPI_Aint>;

// Inline: what a call takes that stays native.

inline int AllgatherCall::run_library(const void* sendbuf, void* recvbuf) const {
  const GatherArguments& a = arguments_;
  if (a.large_count && native().MPI_Allgather_c != nullptr) [[unlikely]] {
    return native().MPI_Allgather_c(sendbuf, a.sendcount, a.sendtype, recvbuf, recvcount_, a.recvtype, a.comm);
  }
  if (!fits_int(a.sendcount) || !fits_int(recvcount_)) [[unlikely]]
    return missing_function("MPI_Allgather_c", a.comm);
  return native().MPI_Allgather(sendbuf, static_cast<int>(a.sendcount), a.sendtype, recvbuf,
                                static_cast<int>(recvcount_), a.recvtype, a.comm);
}

}  // namespace airamp::pmpi
