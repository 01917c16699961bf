// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// A call in which every rank has a block for every other one, of a length that the two alone know; some have none. The
/// ranks tell each other along with the data. What a rank sends to all others is its stream; how long the longest one
/// is, they find in the agreement, and decide by that.
class ExchangeCall : public CollectiveCall {
 public:
  ExchangeCall(MPI_Comm comm, bool large_count) : comm_(comm), large_count_(large_count) {}

  MPI_Comm communicator() const override { return comm_; }
  /// None that the ranks have in common before they agree.
  std::uint64_t bytes() const override { return 0; }
  std::uint64_t equal_arguments() const override { return 0; }
  std::optional<CallArguments> arguments() const override;
  bool opted_in() const override { return false; }
  bool waits_for_all() const override;
  LocalFacts facts(Wish wish) const override;
  CollectiveData data(const LocalFacts& facts) const override;

 protected:
  /// A block in this rank's memory: `count` elements of a type.
  struct Part {
    const void* at = nullptr;
    std::int64_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::uint64_t bytes = 0;
    bool is_packed = false;  ///< to be carried

    Elements elements() const { return {.at = const_cast<void*>(at), .count = count, .type = type}; }
  };

  /// What a look at all blocks asks the MPI library once. On the stack.
  class Look {
   public:
    explicit Look(MPI_Comm comm);
    int rank() const { return rank_; }
    int ranks() const { return ranks_; }

    /// The block of `count` elements behind the first `displacement` of a buffer.
    Part behind(const void* buffer, std::int64_t displacement, std::int64_t count, MPI_Datatype type);
    /// The block of `count` elements that begins at `at`.
    Part at(const void* at, std::int64_t count, MPI_Datatype type);

   private:
    /// Of one element, in bytes.
    struct Layout {
      MPI_Datatype type = MPI_DATATYPE_NULL;
      std::uint64_t size = 0;
      std::ptrdiff_t extent = 0;
      bool is_packed = false;
    };
    const Layout& layout_of(MPI_Datatype type);

    int rank_;
    int ranks_;
    std::array<Layout, 2> latest_;  ///< what is sent and what is received may take turns
    std::size_t next_ = 0;
  };

  /// What this rank gives to another one, and takes from it. Of itself both are the same bytes in place.
  virtual Part sent_to(int rank, Look& look) const = 0;
  virtual Part received_from(int rank, Look& look) const = 0;

  /// The only rank that this one gives to and takes from, itself perhaps; -1 if it may be any.
  virtual int only_peer(const Look& /*look*/) const { return -1; }

  /// Why the MPI library is to have the call, as far as the blocks do not say.
  virtual Reason obstacle() const = 0;

  MPI_Comm comm_;
  bool large_count_;

 private:
  /// Calls `use` with every rank that this one may have something for or from, until it returns false.
  template <class Use>
  void for_peers(const Look& look, const Use& use) const;
};

}  // namespace airamp::pmpi
