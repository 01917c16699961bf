// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/element_type.hpp"
#include "pmpi/algorithm/abilities/piggybacked_agreement.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/device/row_codec.hpp"
#include "pmpi/device/wire_scratch.hpp"
#include "pmpi/group/chunk_channel.hpp"
#include "pmpi/group/consents.hpp"

namespace airamp::pmpi {

/// Compressed allgather(v) over MPI: every rank encodes its contribution once and sends it to all; every rank, its
/// owner too, decodes the same bytes, so that all hold the same bits. Pipelined in groups of chunks, as many chunks
/// as the row codec wants at once.
///
/// Holds scratch and persistent requests; whatever can fail for want of memory fails in the constructor.
class CompressedGather final : public Algorithm, public PiggybackedAgreement {
 public:
  /// `rows`: for the buffers' memory. `scratch`: of memory that `rows` can work with. `rank`: the own one, among those
  /// of `route`, of which two tags are this object's. Throws NoScratch or std::bad_alloc.
  CompressedGather(std::unique_ptr<RowCodec> rows, ElementType element, std::shared_ptr<WireScratch> scratch,
                   MessageRoute route, int rank);

  /// Collective. The blocks have the same numbers of elements on every rank. Returns an MPI error code.
  int execute(const CollectiveData& data) override;

  PiggybackedAgreement* piggybacked_agreement() override { return can_ask() ? this : nullptr; }
  Result<bool> execute_if_agreed(const CollectiveData& data, bool consent) override;
  std::uint64_t sent_bytes() const override { return sent_bytes_; }
  double waited_seconds() const override { return consents_.waited_seconds(); }
  int prepare_next() override;

 private:
  bool can_ask() const { return codec_->immediate() && peers_.size() < max_piggybacking_ranks; }
  struct Peer {
    int rank;
    ChunkSender sender;
    ChunkReceiver receiver;
  };
  struct Run;

  void place(std::byte* rows);
  Run run_of(const CollectiveData& data) const;
  Result<bool> run_pipeline(const Run& run, bool ask);
  std::size_t piggybacked_chunks() const;
  int drop();
  int prepare(const Run& run);
  int encode_own(const Run& run, std::size_t index);
  int send_own(const Run& run, std::size_t index);
  void decode_own(const Run& run, std::size_t index);
  int take(const Run& run, std::size_t index);
  int release(const Run& run, std::size_t index);

  std::unique_ptr<RowCodec> codec_;
  std::size_t element_size_;
  int rank_;
  std::size_t group_chunks_;
  std::size_t slot_rows_;
  std::shared_ptr<WireScratch> scratch_;
  MessageRoute route_;
  std::byte* placed_ = nullptr;  ///< where `scratch_` was when the requests were made
  std::vector<Peer> peers_;
  Consents consents_;
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace airamp::pmpi
