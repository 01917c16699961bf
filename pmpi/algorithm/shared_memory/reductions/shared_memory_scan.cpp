// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pmpi/algorithm/orders/prefix_reduction.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {
namespace {

/// From how many bytes on it takes less time to hand vectors on, which ranks wait for that are many, than to reduce
/// them in parts, with a meeting more for each chunk: as measured, on 4 to 16 ranks and on 32.
std::size_t least_handed_on(int ranks) {
  const auto many = static_cast<std::size_t>(ranks);
  return std::max<std::size_t>(64U << 10U, 256 * many * many);
}

/// How much of a vector of `bytes` bytes the ranks hand on at a time. The last rank waits for as many pieces as there
/// are ranks before it, and then takes all of them: few large ones make the wait long, and of many small ones each
/// costs a look at what another rank has done, as much as some KiB. In all it takes (bytes / piece + ranks - 1) times
/// (piece + those KiB), which is least at the root below.
std::size_t piece_for(std::size_t bytes, int ranks, std::size_t chunk_bytes) {
  constexpr std::size_t bytes_like_a_look = 4096;
  constexpr std::size_t step = 1024;
  constexpr std::size_t most = 16384;
  const double best = std::sqrt(static_cast<double>(bytes) * bytes_like_a_look / std::max(ranks - 1, 1));
  const std::size_t piece = std::clamp(static_cast<std::size_t>(best), step, std::min(most, chunk_bytes / 4));
  return piece / step * step;
}

}  // namespace

std::size_t SharedMemoryScan::chunks(const CollectiveData& data) const {
  return chunks_of(bytes_of(data), group_.chunk_bytes());
}

void SharedMemoryScan::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const auto [begin, bytes] = chunk_of(bytes_of(data), group_.chunk_bytes(), chunk);
  std::memcpy(group_.short_contribution(group_.rank(), turn, bytes_of(data)),
              static_cast<const std::byte*>(data.input) + begin, bytes);
}

/// In place, what is overwritten has been laid out.
void SharedMemoryScan::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (data.outputs == 0) return;
  const auto [begin, bytes] = chunk_of(bytes_of(data), group_.chunk_bytes(), chunk);
  const Piece laid_out{.begin = 0, .elements = bytes / element_bytes(), .bytes = bytes_of(data)};
  reduce_piece(*known_order(data), laid_out, turn, static_cast<std::byte*>(data.output) + begin);
}

bool SharedMemoryScan::goes_in_parts(const CollectiveData& data) const {
  return !is_whole(bytes_of(data)) && adds_in_chains(data);
}

bool SharedMemoryScan::is_handed_on(const CollectiveData& data) const {
  const bool is_long = bytes_of(data) >= least_handed_on(group_.size()) || chunks(data) > 1;
  return group_.chain() != nullptr && is_long && goes_in_parts(data);
}

/// Behind the agreement of a call that is not laid out before it. Each rank hands on what the ranks up to it have, in
/// its own place of the turn after the next: the next call's belongs to that.
int SharedMemoryScan::hand_on(const CollectiveData& data) {
  RankChain& chain = *group_.chain();
  const std::size_t turn = group_.meeting().meetings() + 2;
  const std::size_t piece_bytes = piece_for(bytes_of(data), group_.size(), group_.chunk_bytes());
  const std::size_t places = group_.chunk_bytes() / piece_bytes;
  const std::byte* const before = group_.rank() > 0 ? group_.contribution(group_.rank() - 1, turn) : nullptr;
  std::byte* const own = group_.contribution(group_.rank(), turn);
  const std::size_t pieces = chunks_of(bytes_of(data), piece_bytes);
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t place = k % places * piece_bytes;
    if (!chain.next(places)) return MPI_ERR_OTHER;
    const std::byte* const taken = before == nullptr ? nullptr : before + place;
    hand_on_piece(data, chunk_of(bytes_of(data), piece_bytes, k), taken, own + place);
    chain.done();
  }
  return MPI_SUCCESS;
}

/// In place, what is overwritten has been handed on. What the last rank would hand on is its result, or nobody's.
void SharedMemoryScan::hand_on_piece(const CollectiveData& data, const Chunk& piece, const std::byte* before,
                                     std::byte* own) {
  const std::byte* const input = static_cast<const std::byte*>(data.input) + piece.begin;
  const std::size_t elements = piece.bytes / element_bytes();
  if (before == nullptr) {
    std::memcpy(own, input, piece.bytes);
  } else if (inclusive_ || group_.rank() + 1 < group_.size()) {
    extend_prefix(type(), op_, before, input, own, elements);
  }
  if (data.outputs == 0) return;
  copy_numbers(type(), static_cast<std::byte*>(data.output) + piece.begin, inclusive_ ? own : before, elements);
}

/// Of the chunk of `bytes` bytes that the ranks have laid out. Nobody but this rank touches its part of them, and of
/// the places of the next turn, where its results go.
void SharedMemoryScan::reduce_part(std::size_t bytes, std::size_t turn) {
  const Chunk part = part_of(bytes, group_.rank(), group_.size());
  const std::byte* const first = group_.contribution(0, turn);
  reduce_prefixes(type(), op_, inclusive_,
                  {.contributions = first + part.begin,
                   .results = group_.contribution(0, turn + 1) + part.begin,
                   .stride = static_cast<std::size_t>(group_.contribution(1, turn) - first),
                   .ranks = group_.size(),
                   .elements = part.bytes / element_bytes()});
}

void SharedMemoryScan::read_result(const CollectiveData& data, std::size_t turn) {
  if (data.outputs == 0) return;
  const std::byte* const result = group_.contribution(group_.rank(), turn + 1);
  copy_numbers(type(), static_cast<std::byte*>(data.output), result, data.elements);
}

/// The agreement was the meeting behind which contributions are complete. Results are read behind one more, when other
/// ranks may lay out for the next one, and so have a turn that is neither that one's nor the contributions'.
int SharedMemoryScan::finish(const CollectiveData& data) {
  const std::size_t turn = group_.meeting().meetings();
  if (!goes_in_parts(data)) {
    take(data, 0, turn);
    return MPI_SUCCESS;
  }
  reduce_part(bytes_of(data), turn);
  if (!group_.meet()) return MPI_ERR_OTHER;
  read_result(data, turn);
  return MPI_SUCCESS;
}

/// Of an exclusive scan the first rank, which gets nothing, takes part in the meeting alone.
BriefExchange SharedMemoryScan::brief_exchange(const CollectiveData& data) {
  BriefExchange exchange{.meeting = &group_.meeting(),
                         .algorithm = static_cast<SharedMemoryReduction*>(this),
                         .group = &group_,
                         .order = known_order(data),
                         .elements = data.elements,
                         .bytes = bytes_of(data)};
  const ShortReduction reduce_short = short_reduction_of(data);
  if (reduce_short == nullptr || exchange.bytes % 4 != 0) {
    exchange.leaves = leave_input;
    if (goes_in_parts(data)) {
      exchange.takes = take_briefly;
    } else if (data.outputs > 0) {
      exchange.takes = take_whole_briefly;
    }
  } else if (data.outputs > 0) {
    exchange.reduce = reduce_short;
  }
  return exchange;
}

bool SharedMemoryScan::take_briefly(const BriefExchange& exchange, const void* input, void* output) {
  auto& own = static_cast<SharedMemoryScan&>(*static_cast<SharedMemoryReduction*>(exchange.algorithm));
  const bool gets = own.inclusive_ || own.group_.rank() > 0;
  return own.finish({.input = input, .output = output, .elements = exchange.elements, .outputs = gets ? 1U : 0U}) ==
         MPI_SUCCESS;
}

int SharedMemoryScan::carry(const CollectiveData& data) {
  return is_handed_on(data) ? hand_on(data) : SharedMemoryReduction::carry(data);
}

}  // namespace airamp::pmpi
