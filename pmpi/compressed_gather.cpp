// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/compressed_gather.hpp"

#include <algorithm>

#include "pmpi/segmentation_rule.hpp"

namespace airamp::pmpi {
namespace {

// In iteration j a rank sends its segment j and takes the others' segments j - lag, which they sent in an earlier
// iteration: the pipeline cannot deadlock. So many segments are on their way while a rank computes or is off its core.
constexpr std::size_t lag = 12;
static_assert(lag < slots_per_channel);

std::size_t slots_in_all(int size) { return slots_per_channel * static_cast<std::size_t>(size); }

Segmentation cut_of(const GatherBlock& block, std::size_t segment_rows) {
  return {.rows = gpu::wire_rows(block.elements), .segment_rows = segment_rows};
}

std::size_t first_element(const Segmentation& cut, std::size_t segment) {
  return cut.begin(segment) * gpu::wire_row_elements;
}

std::size_t segment_elements(const GatherBlock& block, const Segmentation& cut, std::size_t segment) {
  return std::min(block.elements - first_element(cut, segment), cut.size(segment) * gpu::wire_row_elements);
}

}  // namespace

CompressedGather::CompressedGather(const gpu::Codec& codec, gpu::ElementType element, MPI_Comm comm, int rank, int size,
                                   int tag)
    : codec_(codec),
      element_size_(gpu::size_of(element)),
      rank_(rank),
      slot_rows_(slot_rows(slots_in_all(size))),
      scratch_(slots_in_all(size) * slot_rows_) {
  std::byte* const own = scratch_.row(0);  // every peer gets the same bytes
  peers_.reserve(static_cast<std::size_t>(size - 1));
  for (int distance = 1; distance < size; ++distance) {  // starting behind oneself spreads the load over the receivers
    const int peer = (rank + distance) % size;
    std::byte* const slots = scratch_.row(static_cast<std::size_t>(distance) * slots_per_channel * slot_rows_);
    peers_.push_back({.rank = peer,
                      .sender = SegmentSender(own, slot_rows_, peer, tag, comm),
                      .receiver = SegmentReceiver(slots, slot_rows_, peer, tag, comm)});
  }
}

int CompressedGather::execute(const CollectiveData& data) {
  const std::vector<GatherBlock>& blocks = data.blocks;
  std::size_t longest = 0;
  for (const GatherBlock& block : blocks) longest = std::max(longest, gpu::wire_rows(block.elements));
  const std::size_t rows = segment_rows(longest, slot_rows_);
  if (const int error = prepare(blocks, rows); error != MPI_SUCCESS) return error;
  const GatherBlock& own = blocks[static_cast<std::size_t>(rank_)];
  const Segmentation own_cut = cut_of(own, rows);
  const std::size_t segments = (longest + rows - 1) / rows;
  for (std::size_t j = 0; j < segments + lag; ++j) {
    if (j < own_cut.segments()) {
      const int error = send_own(static_cast<const std::byte*>(data.input), own, own_cut, j);
      if (error != MPI_SUCCESS) return error;
    }
    if (j < lag) continue;
    for (Peer& peer : peers_) {
      const GatherBlock& block = blocks[static_cast<std::size_t>(peer.rank)];
      const Segmentation cut = cut_of(block, rows);
      if (j - lag >= cut.segments()) continue;
      if (const int error = take(block, cut, j - lag, peer); error != MPI_SUCCESS) return error;
    }
  }
  for (Peer& peer : peers_) {
    if (const int error = peer.sender.wait_for_all(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int CompressedGather::prepare(const std::vector<GatherBlock>& blocks, std::size_t segment_rows) {
  const Segmentation own = cut_of(blocks[static_cast<std::size_t>(rank_)], segment_rows);
  for (Peer& peer : peers_) {
    const Segmentation cut = cut_of(blocks[static_cast<std::size_t>(peer.rank)], segment_rows);
    if (const int error = peer.receiver.begin(cut.segments()); error != MPI_SUCCESS) return error;
    if (const int error = peer.sender.prepare(own); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int CompressedGather::send_own(const std::byte* input, const GatherBlock& own, const Segmentation& cut,
                               std::size_t segment) {
  for (Peer& peer : peers_) {
    if (const int error = peer.sender.wait_for_slot(segment); error != MPI_SUCCESS) return error;
  }
  const std::size_t elements = segment_elements(own, cut, segment);
  const std::size_t offset = first_element(cut, segment) * element_size_;
  std::byte* const slot = peers_.front().sender.slot(segment);
  codec_.encode(input + offset, elements, slot);
  for (Peer& peer : peers_) {
    if (const int error = peer.sender.start(segment); error != MPI_SUCCESS) return error;
  }
  codec_.decode(slot, elements, own.output + offset);  // the same bytes that the others decode
  return MPI_SUCCESS;
}

int CompressedGather::take(const GatherBlock& block, const Segmentation& cut, std::size_t segment, Peer& peer) {
  if (const int error = peer.receiver.wait(segment); error != MPI_SUCCESS) return error;
  codec_.decode(peer.receiver.slot(segment), segment_elements(block, cut, segment),
                block.output + first_element(cut, segment) * element_size_);
  return peer.receiver.release(segment);
}

}  // namespace airamp::pmpi
