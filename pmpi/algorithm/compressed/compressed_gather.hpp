// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pmpi/algorithm/compressed/row_pipeline.hpp"
#include "pmpi/group/chunk_channel.hpp"

namespace airamp::pmpi {

/// Compressed allgather(v) over MPI: every rank encodes its contribution once and sends it to all; every rank, its
/// owner too, decodes the same bytes, so that all hold the same bits.
/// The blocks have the same numbers of elements on every rank.
class CompressedGather final : public RowPipeline {
 public:
  /// As of RowPipeline; two tags of the route are this object's.
  CompressedGather(std::unique_ptr<RowCodec> rows, ElementType element, std::shared_ptr<WireScratch> scratch,
                   MessageRoute route, int rank);

 private:
  struct Peer {
    int rank;
    ChunkSender sender;
    ChunkReceiver receiver;
  };
  struct Run;

  void place(std::byte* rows) override;
  int prepare(const CollectiveData& data) override;
  Result<bool> run(const CollectiveData& data, bool ask) override;
  int drop() override;
  int post_ahead() override;

  Run run_of(const CollectiveData& data) const;
  int encode_own(const Run& run, std::size_t index);
  int send_own(const Run& run, std::size_t index);
  void decode_own(const Run& run, std::size_t index);
  int take(const Run& run, std::size_t index);
  int release(const Run& run, std::size_t index);

  std::vector<Peer> peers_;
};

}  // namespace airamp::pmpi
