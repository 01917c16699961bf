// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/two_shot.hpp"

#include <algorithm>

#include "pmpi/segmentation_rule.hpp"

namespace airamp::pmpi {
namespace {

// In iteration j a rank sends its contributions to segments j, reduces its own segment j - reduce_lag and takes the
// others' results j - result_lag. Whatever it waits for was sent in an earlier iteration, so the pipeline cannot
// deadlock; and so many segments are on their way while a rank computes or is off its core.
constexpr std::size_t reduce_lag = 6;
constexpr std::size_t result_lag = 12;
static_assert(reduce_lag < result_lag && result_lag < slots_per_channel);

std::size_t slots_in_all(int size) { return slots_per_channel * (3 * static_cast<std::size_t>(size - 1) + 1) + 1; }

}  // namespace

/// One call: where the data is and how it is cut.
struct TwoShotAllreduce::Run {
  const std::byte* input;
  std::byte* output;
  std::size_t elements;
  std::size_t element_size;
  std::size_t rows;
  std::size_t chunk_rows;
  std::size_t segment_rows;

  /// The rows of one owner's chunk, in segments.
  Segmentation chunk(int owner) const {
    const std::size_t begin = std::min(rows, static_cast<std::size_t>(owner) * chunk_rows);
    return {.rows = std::min(chunk_rows, rows - begin), .segment_rows = segment_rows};
  }
  std::size_t first_element(int owner, std::size_t segment) const {
    return (static_cast<std::size_t>(owner) * chunk_rows + segment * segment_rows) * gpu::wire_row_elements;
  }
  std::size_t segment_elements(int owner, std::size_t segment) const {
    const std::size_t first = first_element(owner, segment);
    return std::min(elements - first, chunk(owner).size(segment) * gpu::wire_row_elements);
  }
  const std::byte* input_at(int owner, std::size_t segment) const {
    return input + first_element(owner, segment) * element_size;
  }
  std::byte* output_at(int owner, std::size_t segment) const {
    return output + first_element(owner, segment) * element_size;
  }
};

TwoShotAllreduce::TwoShotAllreduce(const gpu::Codec& codec, gpu::ReduceOp op, gpu::ElementType element, MPI_Comm comm,
                                   int rank, int size, int tag)
    : codec_(codec),
      op_(op),
      element_size_(gpu::size_of(element)),
      rank_(rank),
      size_(size),
      slot_rows_(slot_rows(slots_in_all(size))),
      scratch_(slots_in_all(size) * slot_rows_),
      wires_(static_cast<std::size_t>(size)) {
  std::size_t next_slot = 0;
  const auto take_slots = [&](std::size_t count) {
    std::byte* slots = scratch_.row(next_slot * slot_rows_);
    next_slot += count;
    return slots;
  };
  own_ = take_slots(1);
  std::byte* const results = take_slots(slots_per_channel);  // every peer gets the same bytes
  peers_.reserve(static_cast<std::size_t>(size - 1));
  for (int distance = 1; distance < size; ++distance) {  // starting behind oneself spreads the load over the receivers
    const int peer = (rank + distance) % size;
    peers_.push_back(
        {.rank = peer,
         .contributions = SegmentSender(take_slots(slots_per_channel), slot_rows_, peer, tag, comm),
         .contributions_to_me = SegmentReceiver(take_slots(slots_per_channel), slot_rows_, peer, tag, comm),
         .results = SegmentSender(results, slot_rows_, peer, tag + 1, comm),
         .results_of_peer = SegmentReceiver(take_slots(slots_per_channel), slot_rows_, peer, tag + 1, comm)});
  }
}

int TwoShotAllreduce::execute(const CollectiveData& data) {
  const std::size_t rows = gpu::wire_rows(data.elements);
  const auto ranks = static_cast<std::size_t>(size_);
  const std::size_t chunk_rows = (rows + ranks - 1) / ranks;
  const Run run{.input = static_cast<const std::byte*>(data.input),
                .output = static_cast<std::byte*>(data.output),
                .elements = data.elements,
                .element_size = element_size_,
                .rows = rows,
                .chunk_rows = chunk_rows,
                .segment_rows = segment_rows(chunk_rows, slot_rows_)};
  if (const int error = prepare(run); error != MPI_SUCCESS) return error;
  const std::size_t segments = run.chunk(0).segments();  // no chunk is longer than the first
  for (std::size_t j = 0; j < segments + result_lag; ++j) {
    if (const int error = send_contributions(run, j); error != MPI_SUCCESS) return error;
    if (j >= reduce_lag) {
      if (const int error = reduce_own(run, j - reduce_lag); error != MPI_SUCCESS) return error;
    }
    if (j >= result_lag) {
      if (const int error = take_results(run, j - result_lag); error != MPI_SUCCESS) return error;
    }
  }
  for (Peer& peer : peers_) {
    if (const int error = peer.contributions.wait_for_all(); error != MPI_SUCCESS) return error;
    if (const int error = peer.results.wait_for_all(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int TwoShotAllreduce::prepare(const Run& run) {
  const Segmentation own = run.chunk(rank_);
  for (Peer& peer : peers_) {
    const Segmentation chunk = run.chunk(peer.rank);
    if (const int error = peer.contributions_to_me.begin(own.segments()); error != MPI_SUCCESS) return error;
    if (const int error = peer.results_of_peer.begin(chunk.segments()); error != MPI_SUCCESS) return error;
    if (const int error = peer.contributions.prepare(chunk); error != MPI_SUCCESS) return error;
    if (const int error = peer.results.prepare(own); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int TwoShotAllreduce::send_contributions(const Run& run, std::size_t segment) {
  for (Peer& peer : peers_) {
    if (segment >= run.chunk(peer.rank).segments()) continue;
    if (const int error = peer.contributions.wait_for_slot(segment); error != MPI_SUCCESS) return error;
    codec_.encode(run.input_at(peer.rank, segment), run.segment_elements(peer.rank, segment),
                  peer.contributions.slot(segment));
    if (const int error = peer.contributions.start(segment); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int TwoShotAllreduce::reduce_own(const Run& run, std::size_t segment) {
  if (segment >= run.chunk(rank_).segments()) return MPI_SUCCESS;
  const std::size_t elements = run.segment_elements(rank_, segment);
  // one's own contribution is rounded like the others', so that the sum does not depend on who owns the chunk
  codec_.encode(run.input_at(rank_, segment), elements, own_);
  wires_[static_cast<std::size_t>(rank_)] = own_;
  for (Peer& peer : peers_) {
    if (const int error = peer.contributions_to_me.wait(segment); error != MPI_SUCCESS) return error;
    if (const int error = peer.results.wait_for_slot(segment); error != MPI_SUCCESS) return error;
    wires_[static_cast<std::size_t>(peer.rank)] = peer.contributions_to_me.slot(segment);
  }
  std::byte* const result = peers_.front().results.slot(segment);
  codec_.reduce(wires_.data(), wires_.size(), elements, op_, result);
  for (Peer& peer : peers_) {
    if (const int error = peer.results.start(segment); error != MPI_SUCCESS) return error;
    if (const int error = peer.contributions_to_me.release(segment); error != MPI_SUCCESS) return error;
  }
  codec_.decode(result, elements, run.output_at(rank_, segment));  // the same bytes that the others decode
  return MPI_SUCCESS;
}

int TwoShotAllreduce::take_results(const Run& run, std::size_t segment) {
  for (Peer& peer : peers_) {
    if (segment >= run.chunk(peer.rank).segments()) continue;
    if (const int error = peer.results_of_peer.wait(segment); error != MPI_SUCCESS) return error;
    codec_.decode(peer.results_of_peer.slot(segment), run.segment_elements(peer.rank, segment),
                  run.output_at(peer.rank, segment));
    if (const int error = peer.results_of_peer.release(segment); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
