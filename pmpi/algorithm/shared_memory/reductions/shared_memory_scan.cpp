// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_scan.hpp"

#include <cstring>

#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/orders/prefix_reduction.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {

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

/// Of the chunk of `bytes` bytes that the ranks have laid out. Nobody but this rank touches its part of them, and of
/// the places of `results_turn`.
void SharedMemoryScan::reduce_part(std::size_t bytes, std::size_t turn, std::size_t results_turn) {
  const Chunk part = part_of(bytes, group_.rank(), group_.size());
  const std::byte* const first = group_.contribution(0, turn);
  reduce_prefixes(type(), op_, inclusive_,
                  {.contributions = first + part.begin,
                   .results = group_.contribution(0, results_turn) + part.begin,
                   .stride = static_cast<std::size_t>(group_.contribution(1, turn) - first),
                   .ranks = group_.size(),
                   .elements = part.bytes / element_bytes()});
}

/// It is read by this rank alone, which may write its next contribution there.
void SharedMemoryScan::read_result(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (data.outputs == 0) return;
  const auto [begin, bytes] = chunk_of(bytes_of(data), group_.chunk_bytes(), chunk);
  copy_numbers(type(), static_cast<std::byte*>(data.output) + begin, group_.contribution(group_.rank(), turn),
               bytes / element_bytes());
}

/// The agreement was the meeting behind which contributions are complete. Results are read behind one more, when other
/// ranks may lay out for the next one, and so have a turn that is neither that one's nor the contributions'.
int SharedMemoryScan::finish(const CollectiveData& data) {
  const std::size_t turn = group_.meeting().meetings();
  if (!goes_in_parts(data)) {
    take(data, 0, turn);
    return MPI_SUCCESS;
  }
  reduce_part(bytes_of(data), turn, turn + 1);
  if (!group_.meet()) return MPI_ERR_OTHER;
  read_result(data, 0, turn + 1);
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

/// Results are in place of contributions: the next turns have others already. Those of the last two chunks may still be
/// read when other ranks lay out for the next call, which therefore must have the third turn.
int SharedMemoryScan::carry(const CollectiveData& data) {
  if (!goes_in_parts(data)) return SharedMemoryReduction::carry(data);
  const std::size_t first = group_.meeting().meetings() + 2;
  const auto place_of = [&](std::size_t chunk) { return chunk_of(bytes_of(data), group_.chunk_bytes(), chunk); };
  const bool whole = carry_chunks(
      chunks(data), [&](std::size_t chunk) { lay_out(data, chunk, first + chunk); },
      [&](std::size_t chunk) { reduce_part(place_of(chunk).bytes, first + chunk, first + chunk); },
      [&](std::size_t chunk) { read_result(data, chunk, first + chunk); });
  return whole ? MPI_SUCCESS : MPI_ERR_OTHER;
}

}  // namespace airamp::pmpi
