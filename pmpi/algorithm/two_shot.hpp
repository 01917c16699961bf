// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/algorithm/abilities/piggybacked_agreement.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/device/row_codec.hpp"
#include "pmpi/device/wire_scratch.hpp"
#include "pmpi/group/chunk_channel.hpp"
#include "pmpi/group/consents.hpp"

namespace airamp::pmpi {

/// Compressed allreduce over MPI. The rows of the vector are shared out among the ranks; every rank encodes its
/// contribution to each shard and sends it to the shard's owner, which sums the contributions in rank order, encodes
/// the sum and sends it to all: two quantisations whatever the number of ranks, the same bits on all. The three stages
/// run as a pipeline over groups of chunks, as many chunks as the row codec wants at once.
///
/// Holds scratch and persistent requests; whatever can fail for want of memory fails in the constructor.
class TwoShotAllreduce final : public Algorithm, public PiggybackedAgreement {
 public:
  /// `rows`: for the buffers' memory; `reducer`: the same codec on the host. `scratch`: of memory that `rows` can work
  /// with. `rank`: the own one, among those of `route`, of which three tags are this object's. Throws NoScratch or
  /// std::bad_alloc.
  TwoShotAllreduce(std::unique_ptr<RowCodec> rows, const codec::Codec& reducer, ReduceOp op, ElementType element,
                   std::shared_ptr<WireScratch> scratch, MessageRoute route, int rank);

  /// Collective. Input and output may be the same. Returns an MPI error code.
  int execute(const CollectiveData& data) override;

  PiggybackedAgreement* piggybacked_agreement() override { return can_ask() ? this : nullptr; }
  Result<bool> execute_if_agreed(const CollectiveData& data, bool consent) override;
  std::uint64_t sent_bytes() const override { return sent_bytes_; }
  double waited_seconds() const override { return consents_.waited_seconds(); }
  int prepare_next() override;

 private:
  bool can_ask() const { return codec_->immediate() && size_ <= max_piggybacking_ranks; }
  struct Peer {
    int rank;
    ChunkSender contributions;
    ChunkReceiver contributions_to_me;
    ChunkSender results;
    ChunkReceiver results_of_peer;
  };
  struct Run;

  void place(std::byte* rows);
  Run run_of(const CollectiveData& data) const;
  Result<bool> run_pipeline(const Run& run, bool ask);
  int prepare(const Run& run);
  std::size_t piggybacked_chunks() const;
  int drop();
  int encode_contributions(const Run& run, std::size_t index);
  int send_contributions(const Run& run, std::size_t index);
  void encode_own(const Run& run, std::size_t index);
  int reduce_own(const Run& run, std::size_t index);
  void decode_own(const Run& run, std::size_t index);
  int take_results(const Run& run, std::size_t index);
  int release_results(const Run& run, std::size_t index);
  std::byte* own_slot(std::size_t chunk) const;

  std::unique_ptr<RowCodec> codec_;
  const codec::Codec& reducer_;
  ReduceOp op_;
  std::size_t element_size_;
  int rank_;
  int size_;
  std::size_t group_chunks_;
  std::size_t slot_rows_;
  std::shared_ptr<WireScratch> scratch_;
  MessageRoute route_;
  std::byte* placed_ = nullptr;          ///< where `scratch_` was when the requests were made
  std::byte* own_ = nullptr;             ///< one's own contributions to one's own chunks
  std::vector<const std::byte*> wires_;  ///< of one chunk, by rank
  std::vector<Peer> peers_;
  Consents consents_;
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace airamp::pmpi
