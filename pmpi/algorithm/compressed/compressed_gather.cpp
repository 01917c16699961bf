// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/compressed/compressed_gather.hpp"

#include <algorithm>
#include <utility>

#include "pmpi/device/chunking_rule.hpp"

namespace airamp::pmpi {
namespace {

// In iteration j a rank sends its chunk j and takes the others' chunks j - lag, which they sent in an earlier
// iteration: the pipeline cannot deadlock. So many chunks are on their way while a rank computes or is off its core.
// Where chunks go in groups, j counts groups.
constexpr std::size_t lag = 12;
static_assert(lag < slots_per_channel);

std::size_t slots_in_all(const RowCodec& /*codec*/, std::size_t ranks) { return slots_per_channel * ranks; }

}  // namespace

/// One call: where the data is and how it is cut.
struct CompressedGather::Run {
  const std::byte* input;
  const std::vector<GatherBlock>& blocks;
  std::size_t element_size;
  WireFormat format;
  std::size_t chunk_rows;
  std::size_t group_chunks;
  std::size_t groups;  ///< of the longest block

  const GatherBlock& block(int rank) const { return blocks[static_cast<std::size_t>(rank)]; }
  Chunking cut(int rank) const {
    return {.rows = codec::wire_rows(format, block(rank).elements), .chunk_rows = chunk_rows};
  }
  ChunkGroup group(int rank, std::size_t index) const { return cut(rank).group(index, group_chunks); }
  std::size_t first_element(const ChunkGroup& group) const {
    return group.begin * chunk_rows * codec::wire_row_elements(format);
  }
  std::size_t elements_of(int rank, const ChunkGroup& group) const {
    return std::min(block(rank).elements - first_element(group),
                    cut(rank).size(group) * codec::wire_row_elements(format));
  }
  const std::byte* input_at(const ChunkGroup& group) const { return input + first_element(group) * element_size; }
  std::byte* output_at(int rank, const ChunkGroup& group) const {
    return block(rank).output + first_element(group) * element_size;
  }
};

CompressedGather::CompressedGather(std::unique_ptr<RowCodec> rows, ElementType element,
                                   std::shared_ptr<WireScratch> scratch, MessageRoute route, int rank)
    : RowPipeline(std::move(rows), element, std::move(scratch), std::move(route), rank, slots_in_all, 1) {
  peers_.reserve(route_.ranks.size() - 1);
}

void CompressedGather::place(std::byte* rows) {
  const auto& [comm, ranks, tag] = route_;
  const std::size_t channel_bytes = slots_per_channel * slot_rows_ * codec::wire_row_bytes;
  peers_.clear();
  for (std::size_t distance = 1; distance < ranks.size(); ++distance) {  // starting behind oneself spreads the load
    const std::size_t rank = (static_cast<std::size_t>(rank_) + distance) % ranks.size();
    peers_.push_back({.rank = static_cast<int>(rank),
                      .sender = ChunkSender(rows, slot_rows_, ranks[rank], tag, comm),  // all get the same bytes
                      .receiver = ChunkReceiver(rows + distance * channel_bytes, slot_rows_, ranks[rank], tag, comm)});
  }
}

CompressedGather::Run CompressedGather::run_of(const CollectiveData& data) const {
  std::size_t longest = 0;
  for (const GatherBlock& block : data.blocks)
    longest = std::max(longest, codec::wire_rows(codec_->format(), block.elements));
  const Chunking whole{.rows = longest, .chunk_rows = chunk_rows(longest, slot_rows_, group_chunks_)};
  return {.input = static_cast<const std::byte*>(data.input),
          .blocks = data.blocks,
          .element_size = element_size_,
          .format = codec_->format(),
          .chunk_rows = whole.chunk_rows,
          .group_chunks = group_chunks_,
          .groups = whole.groups(group_chunks_)};
}

int CompressedGather::drop() {
  for (Peer& peer : peers_) {
    const std::size_t sent = consents_.of(peer.rank) ? in_groups(lag) : 0;
    if (const int error = peer.receiver.drop(sent); error != MPI_SUCCESS) return error;
    if (const int error = peer.sender.wait_for_all(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int CompressedGather::post_ahead() {
  for (Peer& peer : peers_) {
    if (const int error = peer.receiver.post_ahead(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

/// The others' answer is heard before an output is written.
Result<bool> CompressedGather::run(const CollectiveData& data, bool ask) {
  const Run run = run_of(data);
  const std::size_t to_arrival = lag / group_chunks_;
  const bool immediate = codec_->immediate();
  // not before the others have consented, for the output may be the input; without asking, while its slot is sure to be
  // its own
  const std::size_t own_lag = ask ? to_arrival : 0;
  if (!immediate) {
    if (const int error = encode_own(run, 0); error != MPI_SUCCESS) return MpiError{error};
  }
  for (std::size_t j = 0; j < run.groups + to_arrival; ++j) {
    if (ask && j == to_arrival) {
      const Result<bool> agreed = consents_.hear();
      if (!agreed.ok() || !*agreed) return agreed;
    }
    if (immediate) {
      if (const int error = encode_own(run, j); error != MPI_SUCCESS) return MpiError{error};
    }
    if (const int error = send_own(run, j); error != MPI_SUCCESS) return MpiError{error};
    if (!immediate) {  // while the others' chunks are awaited
      if (const int error = encode_own(run, j + 1); error != MPI_SUCCESS) return MpiError{error};
    }
    codec_->wait_for_decoded();
    if (!immediate && j > to_arrival) {
      if (const int error = release(run, j - to_arrival - 1); error != MPI_SUCCESS) return MpiError{error};
    }
    if (j >= own_lag) decode_own(run, j - own_lag);
    if (j >= to_arrival) {
      if (const int error = take(run, j - to_arrival); error != MPI_SUCCESS) return MpiError{error};
    }
  }
  for (Peer& peer : peers_) {
    if (const int error = peer.sender.wait_for_all(); error != MPI_SUCCESS) return MpiError{error};
  }
  return true;
}

int CompressedGather::prepare(const CollectiveData& data) {
  const Run run = run_of(data);
  const Chunking own = run.cut(rank_);
  sent_bytes_ = own.rows * peers_.size() * codec::wire_row_bytes;
  for (Peer& peer : peers_) {
    if (const int error = peer.receiver.begin(run.cut(peer.rank).chunks()); error != MPI_SUCCESS) return error;
    if (const int error = peer.sender.prepare(own); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int CompressedGather::encode_own(const Run& run, std::size_t index) {
  const ChunkGroup group = run.group(rank_, index);
  if (group.empty()) return MPI_SUCCESS;
  for (Peer& peer : peers_) {
    if (const int error = peer.sender.wait_for_slots(group); error != MPI_SUCCESS) return error;
  }
  codec_->encode(run.input_at(group), run.elements_of(rank_, group), peers_.front().sender.slot(group.begin));
  return MPI_SUCCESS;
}

int CompressedGather::send_own(const Run& run, std::size_t index) {
  codec_->wait_for_encoded();
  const ChunkGroup group = run.group(rank_, index);
  for (Peer& peer : peers_) {
    if (const int error = peer.sender.start(group); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

/// The same bytes that the others decode.
void CompressedGather::decode_own(const Run& run, std::size_t index) {
  const ChunkGroup group = run.group(rank_, index);
  if (group.empty()) return;
  codec_->decode(peers_.front().sender.slot(group.begin), run.elements_of(rank_, group), run.output_at(rank_, group));
}

int CompressedGather::take(const Run& run, std::size_t index) {
  for (Peer& peer : peers_) {
    const ChunkGroup group = run.group(peer.rank, index);
    if (group.empty()) continue;
    if (const int error = peer.receiver.wait(group); error != MPI_SUCCESS) return error;
    codec_->decode(peer.receiver.slot(group.begin), run.elements_of(peer.rank, group), run.output_at(peer.rank, group));
    if (!codec_->immediate()) continue;
    if (const int error = peer.receiver.release(group); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

/// Of a group whose decoding has been waited for.
int CompressedGather::release(const Run& run, std::size_t index) {
  for (Peer& peer : peers_) {
    const int error = peer.receiver.release(run.group(peer.rank, index));
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
