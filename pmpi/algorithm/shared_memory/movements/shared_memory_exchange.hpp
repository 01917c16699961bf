// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/collective_kind.hpp"
#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/call/exchanges/plain_blocks.hpp"
#include "pmpi/group/communicator_resources.hpp"

namespace airamp::pmpi {

/// Alltoallv, alltoallw, gatherv and scatterv: exchanges of blocks of any length, none among them. A rank's blocks for
/// the others are one stream of bytes, the next rank's first: where blocks are of about one length, each rank finds
/// some of its own in every chunk. Every rank lays out how long its stream is and where each block begins in it, and a
/// chunk of it, all beside its word if that is short; they meet, which may be the agreement on the call, and each takes
/// what is its own. So they go on to the end of the longest stream. Where one rank alone sends, or one alone receives,
/// nobody looks for more.
class SharedMemoryExchange final : public Algorithm, public StagedExchange {
 public:
  /// On a communicator that has a host group; of calls of one of these kinds. Throws std::bad_alloc.
  SharedMemoryExchange(const CommunicatorResources& resources, CollectiveKind kind);

  /// What a rank of `size` lays out in a chunk, at most, before a stream's bytes.
  static std::size_t bytes_before_streams(int size);

  /// MPI_ERR_TRUNCATE if another rank sends more than this one has room for; so does `finish`.
  int execute(const CollectiveData& data) override;
  bool promises_native_bits() const override { return true; }
  bool warms_up() const override { return true; }

  StagedExchange* staged_exchange() override { return this; }
  bool may_stage(const CollectiveData& /*data*/) const override { return true; }
  bool stage(const CollectiveData& data) override;
  int finish(const CollectiveData& data) override;
  BriefExchange brief_exchange(const CollectiveData& /*data*/) override {
    return {.meeting = &group_.meeting(), .algorithm = &blocks_};
  }

 private:
  /// Of another rank's stream.
  struct Stream {
    std::uint64_t begin = 0;  ///< of this rank's block
    std::uint64_t end = 0;
    std::uint64_t bytes = 0;  ///< all of it
  };

  /// Where a rank's stream lies, in the chunk of one meeting.
  struct Place {
    std::uint64_t* begins;  ///< of its blocks, by rank; where its own would be, the end of the last one
    std::byte* bytes;
  };

  /// `distance`: below the group's size. Without a division, which would take longer than a short block.
  int rank_behind(int rank, int distance) const {
    const int sum = rank + distance;
    return sum < group_.size() ? sum : sum - group_.size();
  }
  bool sends(int rank, int root) const { return flow_ != DataFlow::root_to_all || rank == root; }
  /// Calls `use` with the ranks that get blocks of this one's stream, in its order.
  template <class Use>
  void for_receivers(int root, const Use& use) const;
  /// Calls `use` with the ranks of whose streams this one gets blocks, those where it lies first first.
  template <class Use>
  void for_senders(int root, const Use& use) const;

  bool has_table() const { return flow_ != DataFlow::all_to_root; }
  std::size_t room() const;
  std::uint64_t& stream_bytes(int rank, std::size_t turn) const;
  Place place(int rank, std::uint64_t bytes, std::size_t turn) const;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn);
  std::uint64_t longest_stream(int root, std::size_t turn) const;
  Stream stream_of(int rank, std::uint64_t bytes, std::size_t turn) const;
  int take_whole(const CollectiveData& data) const;
  int take_in_chunks(const CollectiveData& data, std::uint64_t longest);
  void look_at_streams(int root, std::size_t turn);
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn);
  void keep_own(const CollectiveData& data) const;

  HostGroup& group_;
  DataFlow flow_;
  std::uint64_t own_bytes_ = 0;  ///< of this rank's stream
  std::vector<Stream> streams_;  ///< by rank
  PlainBlocks blocks_;           ///< of calls that are carried briefly
};

}  // namespace airamp::pmpi
