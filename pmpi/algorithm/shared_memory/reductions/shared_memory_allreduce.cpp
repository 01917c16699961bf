// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_allreduce.hpp"

#include <cstdint>
#include <cstring>

#include "base/copy_around_caches.hpp"
#include "base/copy_words.hpp"
#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {

std::size_t SharedMemoryAllreduce::chunks(const CollectiveData& data) const {
  return chunks_of(bytes_of(data), group_.chunk_bytes());
}

void SharedMemoryAllreduce::lay_out(const CollectiveData& data, std::size_t /*chunk*/, std::size_t turn) {
  const std::size_t bytes = bytes_of(data);
  std::memcpy(group_.short_contribution(group_.rank(), turn, bytes), data.input, bytes);
}

void SharedMemoryAllreduce::take(const CollectiveData& data, std::size_t /*chunk*/, std::size_t turn) {
  if (data.outputs == 0) return;
  reduce_whole(*known_order(data), data.elements, turn, static_cast<std::byte*>(data.output));
}

/// As the others', without a question whose answer is known of a short vector.
bool SharedMemoryAllreduce::stage(const CollectiveData& data) {
  if (short_reduction_of(data) == nullptr) return SharedMemoryReduction::stage(data);
  lay_out(data, 0, group_.meeting().meetings() + 1);
  return true;
}

int SharedMemoryAllreduce::finish(const CollectiveData& data) {
  if (is_whole(bytes_of(data))) {
    take(data, 0, group_.meeting().meetings());
    return MPI_SUCCESS;
  }
  auto* const output = data.outputs != 0 ? static_cast<std::byte*>(data.output) : nullptr;
  return reduce_in_parts(*known_order(data), data.elements, output) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/// The agreement was the meeting behind which contributions are complete. All have read them before the one behind
/// which results are: the next call may have both places again. False if a rank is gone.
bool SharedMemoryAllreduce::reduce_in_parts(const SummationTree& order, std::size_t elements, std::byte* output) {
  const ShortReduction reduce_short = short_reduction_of_parts(order, elements);
  return reduce_short != nullptr ? reduce_in_short_parts(reduce_short, order, elements, output)
                                 : reduce_in_long_parts(order, elements, output);
}

/// How the ranks' parts of so many elements are reduced that lie beside their words; nullptr: they do not. What only a
/// root reads it reads in one piece.
ShortReduction SharedMemoryAllreduce::short_reduction_of_parts(const SummationTree& order, std::size_t elements) const {
  if (kind() == Kind::reduce) return nullptr;
  return short_reduction_in(order, chunks_of(elements, static_cast<std::size_t>(group_.size())));
}

bool SharedMemoryAllreduce::reduce_in_long_parts(const SummationTree& order, std::size_t elements, std::byte* output) {
  const std::size_t turn = group_.meeting().meetings();
  const auto [begin, bytes] = part_of(elements * element_bytes(), group_.rank(), group_.size());
  reduce_in(
      order, bytes / element_bytes(), [&, begin = begin](int rank) { return group_.contribution(rank, turn) + begin; },
      group_.result(turn) + begin);
  if (!group_.meet()) return false;
  if (output != nullptr) copy_numbers(type(), output, group_.result(turn), elements);
  group_.keep_places();
  return true;
}

/// Every rank has a part, so that they are short: who finds a rank's word has its part as well.
bool SharedMemoryAllreduce::reduce_in_short_parts(ShortReduction reduce_short, const SummationTree& order,
                                                  std::size_t elements, std::byte* output) {
  HostMeeting& meeting = group_.meeting();
  const std::size_t turn = meeting.meetings();
  const auto begin_of = [&](int rank) {
    return elements * static_cast<std::size_t>(rank) / static_cast<std::size_t>(group_.size());
  };
  const std::size_t own = begin_of(group_.rank());
  reduce_short(order, group_.contribution(0, turn) + own * element_bytes(), group_.contribution_stride(),
               begin_of(group_.rank() + 1) - own, meeting.data(group_.rank(), turn + 1));
  if (!group_.meet()) return false;
  group_.keep_places();
  if (output == nullptr) return true;
  const bool in_words = !has_gap(type()) && element_bytes() % 4 == 0;
  for (int rank = 0; rank < group_.size(); ++rank) {
    const std::size_t part = begin_of(rank + 1) - begin_of(rank);
    const std::byte* const from = meeting.data(rank, turn + 1);
    if (in_words) {
      base::copy_words(output, from, part * element_bytes());
    } else {
      copy_numbers(type(), output, from, part);
    }
    output += part * element_bytes();
  }
  return true;
}

BriefExchange SharedMemoryAllreduce::brief_exchange(const CollectiveData& data) {
  if (data.outputs == 0) return {};
  const std::size_t bytes = bytes_of(data);
  BriefExchange exchange{.meeting = &group_.meeting(),
                         .reduce = short_reduction_of(data),
                         .order = known_order(data),
                         .elements = data.elements,
                         .bytes = bytes};
  if (exchange.reduce != nullptr && bytes % 4 == 0) return exchange;
  exchange.reduce = nullptr;
  exchange.algorithm = static_cast<SharedMemoryReduction*>(this);
  exchange.group = &group_;
  exchange.leaves = leave_input;
  if (is_whole(bytes)) {
    exchange.takes = take_whole_briefly;
    return exchange;
  }
  exchange.reduce = short_reduction_of_parts(*exchange.order, data.elements);
  exchange.takes = exchange.reduce != nullptr ? take_short_parts_briefly : take_long_parts_briefly;
  exchange.lines_of_code = 16;
  return exchange;
}

[[gnu::flatten]] bool SharedMemoryAllreduce::take_long_parts_briefly(const BriefExchange& exchange,
                                                                     const void* /*input*/, void* output) {
  auto& own = static_cast<SharedMemoryAllreduce&>(*static_cast<SharedMemoryReduction*>(exchange.algorithm));
  return own.reduce_in_long_parts(*exchange.order, exchange.elements, static_cast<std::byte*>(output));
}

[[gnu::flatten]] bool SharedMemoryAllreduce::take_short_parts_briefly(const BriefExchange& exchange,
                                                                      const void* /*input*/, void* output) {
  auto& own = static_cast<SharedMemoryAllreduce&>(*static_cast<SharedMemoryReduction*>(exchange.algorithm));
  return own.reduce_in_short_parts(exchange.reduce, *exchange.order, exchange.elements,
                                   static_cast<std::byte*>(output));
}

int SharedMemoryAllreduce::carry(const CollectiveData& data) {
  if (is_whole(bytes_of(data))) return SharedMemoryReduction::carry(data);
  return carry_in_chunks(data) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/// False if a rank is gone.
bool SharedMemoryAllreduce::carry_in_chunks(const CollectiveData& data) {
  const auto* const input = static_cast<const std::byte*>(data.input);
  auto* const output = static_cast<std::byte*>(data.output);
  const auto place_of = [&](std::size_t k) { return chunk_of(bytes_of(data), group_.chunk_bytes(), k); };
  const auto own_part = [&](std::size_t k) { return part_of(place_of(k).bytes, group_.rank(), group_.size()); };
  // nobody else reads what this rank reduces itself, if it can be read where it is
  const bool aligned = reinterpret_cast<std::uintptr_t>(input) % element_bytes() == 0;
  const auto contribute = [&](std::size_t k) {
    std::byte* const to = group_.contribution(group_.rank(), k);
    const auto [begin, bytes] = place_of(k);
    const Chunk kept = aligned ? own_part(k) : Chunk{.begin = 0, .bytes = 0};
    const std::size_t behind = kept.begin + kept.bytes;
    std::memcpy(to, input + begin, kept.begin);
    std::memcpy(to + behind, input + begin + behind, bytes - behind);
  };
  const auto reduce_part = [&](std::size_t k) {
    const Chunk part = own_part(k);
    const auto contribution = [&](int rank) {
      const bool own = aligned && rank == group_.rank();
      return (own ? input + place_of(k).begin : group_.contribution(rank, k)) + part.begin;
    };
    reduce(data, part.bytes / element_bytes(), contribution, group_.result(k) + part.begin);
  };
  const bool long_output = bytes_of(data) >= bytes_around_caches && !has_gap(type());
  const auto read_result = [&](std::size_t k) {
    const auto [begin, bytes] = place_of(k);
    if (data.outputs == 0) return;
    if (long_output) return base::copy_around_caches(output + begin, group_.result(k), bytes);
    copy_numbers(type(), output + begin, group_.result(k), bytes / element_bytes());
  };
  return carry_chunks(chunks(data), contribute, reduce_part, read_result);
}

}  // namespace airamp::pmpi
