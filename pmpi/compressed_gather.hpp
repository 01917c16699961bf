// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/codec.hpp"
#include "pmpi/algorithm.hpp"
#include "pmpi/segment_channel.hpp"
#include "pmpi/wire_buffer.hpp"

namespace airamp::pmpi {

/// Compressed allgather(v) over MPI: every rank encodes its contribution once and sends it to all; every rank, its
/// owner too, decodes the same bytes, so that all hold the same bits. Pipelined in segments.
///
/// Holds scratch and persistent requests; whatever can fail for want of memory fails in the constructor.
class CompressedGather final : public Algorithm {
 public:
  /// `comm`: the private communicator; `tag` on it is this object's. Throws std::bad_alloc.
  CompressedGather(const gpu::Codec& codec, gpu::ElementType element, MPI_Comm comm, int rank, int size, int tag);

  /// Collective. The blocks have the same numbers of elements on every rank. Returns an MPI error code.
  int execute(const CollectiveData& data) override;

 private:
  struct Peer {
    int rank;
    SegmentSender sender;
    SegmentReceiver receiver;
  };

  int prepare(const std::vector<GatherBlock>& blocks, std::size_t segment_rows);
  int send_own(const std::byte* input, const GatherBlock& own, const Segmentation& cut, std::size_t segment);
  int take(const GatherBlock& block, const Segmentation& cut, std::size_t segment, Peer& peer);

  const gpu::Codec& codec_;
  std::size_t element_size_;
  int rank_;
  std::size_t slot_rows_;
  WireBuffer scratch_;
  std::vector<Peer> peers_;
};

}  // namespace airamp::pmpi
