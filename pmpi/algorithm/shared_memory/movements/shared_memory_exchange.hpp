// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/group/communicator_resources.hpp"

namespace airamp::pmpi {

/// Alltoallv, alltoallw, gatherv and scatterv: exchanges of blocks of any length, none among them. A rank's blocks for
/// the others are one stream of bytes, the next rank's first: where blocks are of about one length, each rank finds
/// some of its own in every chunk. Every rank lays out where in its stream each block begins, and a chunk of it; they
/// meet, which may be the agreement on the call, and each takes what is its own. So they go on to the end of the
/// longest stream.
class SharedMemoryExchange final : public Algorithm, public StagedExchange {
 public:
  /// On a communicator that has a host group. A call in which some rank's stream has more than `longest_stream` bytes
  /// is called off, unless it is to be carried at any price: no rank knows of it before. Throws std::bad_alloc.
  SharedMemoryExchange(const CommunicatorResources& resources, std::uint64_t longest_stream);

  /// MPI_ERR_TRUNCATE if another rank sends more than this one has room for; so does `finish`.
  int execute(const CollectiveData& data) override;
  bool promises_native_bits() const override { return true; }

  StagedExchange* staged_exchange() override { return this; }
  bool stage(const CollectiveData& data) override;
  int finish(const CollectiveData& data) override;
  Reason why_left() const override { return why_left_; }
  Reason why_called_off() const override { return why_left_; }

 private:
  /// Of another rank's stream.
  struct Stream {
    std::uint64_t begin;  ///< of this rank's block
    std::uint64_t end;
    std::uint64_t bytes;  ///< all of it
  };

  int rank_behind(int rank, int distance) const { return (rank + distance) % group_.size(); }
  /// Calls `use` with the others' numbers, in the order of this rank's stream.
  template <class Use>
  void for_others(const Use& use) const {
    for (int distance = 1; distance < group_.size(); ++distance) use(rank_behind(group_.rank(), distance));
  }

  std::size_t room() const;
  std::byte* place(int rank, std::size_t turn) const;
  std::uint64_t* begins(int rank, std::size_t turn) const;
  void lay_out_begins(const CollectiveData& data, std::size_t turn);
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn);
  void look_at_streams(std::size_t turn);
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn);
  void keep_own(const CollectiveData& data) const;

  HostGroup& group_;
  std::uint64_t longest_stream_;
  Reason why_left_ = Reason::none;
  std::vector<Stream> streams_;  ///< by rank
};

}  // namespace airamp::pmpi
