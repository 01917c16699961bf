// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/compressed/two_shot.hpp"

#include <algorithm>
#include <utility>

#include "pmpi/device/chunking_rule.hpp"

namespace airamp::pmpi {
namespace {

// In iteration j a rank sends its contributions to chunks j, reduces its own chunk j - reduce_lag and takes the
// others' results j - result_lag. Whatever it waits for was sent in an earlier iteration, so the pipeline cannot
// deadlock; and so many chunks are on their way while a rank computes or is off its core. Where chunks go in
// groups, j counts groups.
constexpr std::size_t reduce_lag = 6;
constexpr std::size_t result_lag = 12;
static_assert(reduce_lag < result_lag && result_lag < slots_per_channel);

/// Slots for one's own contributions: a group is reduced while the next one may still be being encoded.
std::size_t own_slots(const RowCodec& codec) { return codec.chunks_at_once() * (codec.immediate() ? 1 : 2); }

std::size_t slots_in_all(const RowCodec& codec, std::size_t ranks) {
  return slots_per_channel * (3 * (ranks - 1) + 1) + own_slots(codec);
}

}  // namespace

/// One call: where the data is and how it is cut.
struct TwoShotAllreduce::Run {
  const std::byte* input;
  std::byte* output;
  std::size_t elements;
  std::size_t element_size;
  std::size_t row_elements;
  std::size_t rows;
  std::size_t shard_rows;
  std::size_t chunk_rows;
  std::size_t group_chunks;

  /// The rows of one owner's shard, in chunks.
  Chunking shard(int owner) const {
    const std::size_t begin = std::min(rows, static_cast<std::size_t>(owner) * shard_rows);
    return {.rows = std::min(shard_rows, rows - begin), .chunk_rows = chunk_rows};
  }
  ChunkGroup group(int owner, std::size_t index) const { return shard(owner).group(index, group_chunks); }
  std::size_t first_element(int owner, std::size_t chunk) const {
    return (static_cast<std::size_t>(owner) * shard_rows + chunk * chunk_rows) * row_elements;
  }
  std::size_t elements_of(int owner, const ChunkGroup& group) const {
    const std::size_t first = first_element(owner, group.begin);
    return std::min(elements - first, shard(owner).size(group) * row_elements);
  }
  const std::byte* input_at(int owner, std::size_t chunk) const {
    return input + first_element(owner, chunk) * element_size;
  }
  std::byte* output_at(int owner, std::size_t chunk) const {
    return output + first_element(owner, chunk) * element_size;
  }
};

TwoShotAllreduce::TwoShotAllreduce(std::unique_ptr<RowCodec> rows, const codec::Codec& reducer, ReduceOp op,
                                   ElementType element, std::shared_ptr<WireScratch> scratch, MessageRoute route,
                                   int rank)
    : RowPipeline(std::move(rows), element, std::move(scratch), std::move(route), rank, slots_in_all, 2),
      reducer_(reducer),
      op_(op),
      size_(static_cast<int>(route_.ranks.size())),
      wires_(static_cast<std::size_t>(size_)) {
  peers_.reserve(static_cast<std::size_t>(size_ - 1));
}

void TwoShotAllreduce::place(std::byte* rows) {
  const auto take_slots = [&](std::size_t count) {
    std::byte* const slots = rows;
    rows += count * slot_rows_ * codec::wire_row_bytes;
    return slots;
  };
  own_ = take_slots(own_slots(*codec_));
  std::byte* const results = take_slots(slots_per_channel);  // every peer gets the same bytes
  const auto& [comm, ranks, tag] = route_;
  peers_.clear();
  for (int distance = 1; distance < size_; ++distance) {  // starting behind oneself spreads the load over the receivers
    const int rank = (rank_ + distance) % size_;
    const int peer = ranks[static_cast<std::size_t>(rank)];
    peers_.push_back(
        {.rank = rank,
         .contributions = ChunkSender(take_slots(slots_per_channel), slot_rows_, peer, tag, comm),
         .contributions_to_me = ChunkReceiver(take_slots(slots_per_channel), slot_rows_, peer, tag, comm),
         .results = ChunkSender(results, slot_rows_, peer, tag + 1, comm),
         .results_of_peer = ChunkReceiver(take_slots(slots_per_channel), slot_rows_, peer, tag + 1, comm)});
  }
}

TwoShotAllreduce::Run TwoShotAllreduce::run_of(const CollectiveData& data) const {
  const std::size_t rows = codec::wire_rows(codec_->format(), data.elements);
  const auto ranks = static_cast<std::size_t>(size_);
  const std::size_t shard_rows = (rows + ranks - 1) / ranks;
  return {.input = static_cast<const std::byte*>(data.input),
          .output = static_cast<std::byte*>(data.output),
          .elements = data.elements,
          .element_size = element_size_,
          .row_elements = codec::wire_row_elements(codec_->format()),
          .rows = rows,
          .shard_rows = shard_rows,
          .chunk_rows = chunk_rows(shard_rows, slot_rows_, group_chunks_),
          .group_chunks = group_chunks_};
}

int TwoShotAllreduce::drop() {
  for (Peer& peer : peers_) {
    const std::size_t sent = consents_.of(peer.rank) ? in_groups(reduce_lag) : 0;
    if (const int error = peer.contributions_to_me.drop(sent); error != MPI_SUCCESS) return error;
    if (const int error = peer.results_of_peer.drop(0); error != MPI_SUCCESS) return error;
    if (const int error = peer.contributions.wait_for_all(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int TwoShotAllreduce::post_ahead() {
  for (Peer& peer : peers_) {
    if (const int error = peer.contributions_to_me.post_ahead(); error != MPI_SUCCESS) return error;
    if (const int error = peer.results_of_peer.post_ahead(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

/// The others' answer is heard before anything is read that they sent.
Result<bool> TwoShotAllreduce::run(const CollectiveData& data, bool ask) {
  const Run run = run_of(data);
  const std::size_t to_reduction = reduce_lag / group_chunks_;
  const std::size_t to_result = result_lag / group_chunks_;
  const std::size_t groups = run.shard(0).groups(group_chunks_);  // no shard is longer than the first
  const bool immediate = codec_->immediate();
  // What is not encoded at once is encoded while the group before it is reduced.
  const std::size_t ahead = immediate ? 0 : 1;
  if (!immediate) {
    if (const int error = encode_contributions(run, 0); error != MPI_SUCCESS) return MpiError{error};
  }
  for (std::size_t j = 0; j < groups + to_result; ++j) {
    if (ask && j == to_reduction) {
      const Result<bool> agreed = consents_.hear();
      if (!agreed.ok() || !*agreed) return agreed;
    }
    if (!immediate) {
      if (const int error = send_contributions(run, j); error != MPI_SUCCESS) return MpiError{error};
    }
    if (const int error = encode_contributions(run, j + ahead); error != MPI_SUCCESS) return MpiError{error};
    if (j + ahead >= to_reduction) encode_own(run, j + ahead - to_reduction);
    if (j >= to_reduction) {
      if (const int error = reduce_own(run, j - to_reduction); error != MPI_SUCCESS) return MpiError{error};
    }
    codec_->wait_for_decoded();
    if (!immediate && j > to_result) {
      if (const int error = release_results(run, j - to_result - 1); error != MPI_SUCCESS) return MpiError{error};
    }
    if (j >= to_reduction) decode_own(run, j - to_reduction);
    if (j >= to_result) {
      if (const int error = take_results(run, j - to_result); error != MPI_SUCCESS) return MpiError{error};
    }
  }
  for (Peer& peer : peers_) {
    if (const int error = peer.contributions.wait_for_all(); error != MPI_SUCCESS) return MpiError{error};
    if (const int error = peer.results.wait_for_all(); error != MPI_SUCCESS) return MpiError{error};
  }
  return true;
}

int TwoShotAllreduce::prepare(const CollectiveData& data) {
  const Run run = run_of(data);
  const Chunking own = run.shard(rank_);
  // contributions to the others' shards, and the own one's result to each of them
  sent_bytes_ = (run.rows - own.rows + own.rows * peers_.size()) * codec::wire_row_bytes;
  for (Peer& peer : peers_) {
    const Chunking shard = run.shard(peer.rank);
    if (const int error = peer.contributions_to_me.begin(own.chunks()); error != MPI_SUCCESS) return error;
    if (const int error = peer.results_of_peer.begin(shard.chunks()); error != MPI_SUCCESS) return error;
    if (const int error = peer.contributions.prepare(shard); error != MPI_SUCCESS) return error;
    if (const int error = peer.results.prepare(own); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int TwoShotAllreduce::encode_contributions(const Run& run, std::size_t index) {
  for (Peer& peer : peers_) {
    const ChunkGroup group = run.group(peer.rank, index);
    if (group.empty()) continue;
    if (const int error = peer.contributions.wait_for_slots(group); error != MPI_SUCCESS) return error;
    codec_->encode(run.input_at(peer.rank, group.begin), run.elements_of(peer.rank, group),
                   peer.contributions.slot(group.begin));
    if (!codec_->immediate()) continue;
    if (const int error = peer.contributions.start(group); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int TwoShotAllreduce::send_contributions(const Run& run, std::size_t index) {
  codec_->wait_for_encoded();
  for (Peer& peer : peers_) {
    if (const int error = peer.contributions.start(run.group(peer.rank, index)); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

/// One's own contribution is rounded like the others', so that the sum does not depend on who owns the shard.
void TwoShotAllreduce::encode_own(const Run& run, std::size_t index) {
  const ChunkGroup group = run.group(rank_, index);
  if (group.empty()) return;
  codec_->encode(run.input_at(rank_, group.begin), run.elements_of(rank_, group), own_slot(group.begin));
}

std::byte* TwoShotAllreduce::own_slot(std::size_t chunk) const {
  return own_ + chunk % own_slots(*codec_) * slot_rows_ * codec::wire_row_bytes;
}

int TwoShotAllreduce::reduce_own(const Run& run, std::size_t index) {
  const ChunkGroup group = run.group(rank_, index);
  for (std::size_t chunk = group.begin; chunk < group.end; ++chunk) {
    wires_[static_cast<std::size_t>(rank_)] = own_slot(chunk);
    for (Peer& peer : peers_) {
      if (const int error = peer.contributions_to_me.wait(chunk); error != MPI_SUCCESS) return error;
      if (const int error = peer.results.wait_for_slot(chunk); error != MPI_SUCCESS) return error;
      wires_[static_cast<std::size_t>(peer.rank)] = peer.contributions_to_me.slot(chunk);
    }
    std::byte* const result = peers_.front().results.slot(chunk);
    reducer_.reduce(wires_.data(), wires_.size(), run.elements_of(rank_, {chunk, chunk + 1}), op_, result);
    for (Peer& peer : peers_) {
      if (const int error = peer.results.start(chunk); error != MPI_SUCCESS) return error;
      if (const int error = peer.contributions_to_me.release(chunk); error != MPI_SUCCESS) return error;
    }
  }
  return MPI_SUCCESS;
}

/// The same bytes that the others decode.
void TwoShotAllreduce::decode_own(const Run& run, std::size_t index) {
  const ChunkGroup group = run.group(rank_, index);
  if (group.empty()) return;
  codec_->decode(peers_.front().results.slot(group.begin), run.elements_of(rank_, group),
                 run.output_at(rank_, group.begin));
}

int TwoShotAllreduce::take_results(const Run& run, std::size_t index) {
  for (Peer& peer : peers_) {
    const ChunkGroup group = run.group(peer.rank, index);
    if (group.empty()) continue;
    if (const int error = peer.results_of_peer.wait(group); error != MPI_SUCCESS) return error;
    codec_->decode(peer.results_of_peer.slot(group.begin), run.elements_of(peer.rank, group),
                   run.output_at(peer.rank, group.begin));
    if (!codec_->immediate()) continue;
    if (const int error = peer.results_of_peer.release(group); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

/// Of a group whose decoding has been waited for.
int TwoShotAllreduce::release_results(const Run& run, std::size_t index) {
  for (Peer& peer : peers_) {
    const int error = peer.results_of_peer.release(run.group(peer.rank, index));
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
