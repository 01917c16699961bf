// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "codec/codec.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/algorithm/compressed/row_pipeline.hpp"
#include "pmpi/group/chunk_channel.hpp"

namespace airamp::pmpi {

/// Compressed allreduce over MPI. The rows of the vector are shared out among the ranks; every rank encodes its
/// contribution to each shard and sends it to the shard's owner, which sums the contributions in rank order, encodes
/// the sum and sends it to all: two quantisations whatever the number of ranks, the same bits on all.
/// Input and output may be the same.
class TwoShotAllreduce final : public RowPipeline {
 public:
  /// As of RowPipeline; three tags of the route are this object's. `reducer`: the codec of `rows` on the host.
  TwoShotAllreduce(std::unique_ptr<RowCodec> rows, const codec::Codec& reducer, ReduceOp op, ElementType element,
                   std::shared_ptr<WireScratch> scratch, MessageRoute route, int rank);

 private:
  struct Peer {
    int rank;
    ChunkSender contributions;
    ChunkReceiver contributions_to_me;
    ChunkSender results;
    ChunkReceiver results_of_peer;
  };
  struct Run;

  void place(std::byte* rows) override;
  int prepare(const CollectiveData& data) override;
  Result<bool> run(const CollectiveData& data, bool ask) override;
  int drop() override;
  int post_ahead() override;

  Run run_of(const CollectiveData& data) const;
  int encode_contributions(const Run& run, std::size_t index);
  int send_contributions(const Run& run, std::size_t index);
  void encode_own(const Run& run, std::size_t index);
  int reduce_own(const Run& run, std::size_t index);
  void decode_own(const Run& run, std::size_t index);
  int take_results(const Run& run, std::size_t index);
  int release_results(const Run& run, std::size_t index);
  std::byte* own_slot(std::size_t chunk) const;

  const codec::Codec& reducer_;
  ReduceOp op_;
  int size_;
  std::byte* own_ = nullptr;             ///< one's own contributions to one's own chunks
  std::vector<const std::byte*> wires_;  ///< of one chunk, by rank
  std::vector<Peer> peers_;
};

}  // namespace airamp::pmpi
