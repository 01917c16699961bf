// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_allreduce.hpp"

#include <cstdint>
#include <cstring>

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
  auto* const output = static_cast<std::byte*>(data.output);
  if (const ShortReduction reduce_short = short_reduction_of(data)) {
    const std::byte* const first = group_.meeting().data(0, turn);
    return reduce_short(*known_order(data), first, HostMeeting::data_stride, data.elements, output);
  }
  reduce(
      data, data.elements, [&](int rank) { return group_.short_contribution(rank, turn, bytes_of(data)); }, output);
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

/// The agreement was the meeting behind which contributions are complete. Results take turns with its number, as they
/// do: what is written was read by all before they came to it. False if a rank is gone.
bool SharedMemoryAllreduce::reduce_in_parts(const SummationTree& order, std::size_t elements, std::byte* output) {
  const std::size_t turn = group_.meeting().meetings();
  const auto [begin, bytes] = part_of(elements * element_bytes(), group_.rank(), group_.size());
  reduce_in(
      order, bytes / element_bytes(), [&, begin = begin](int rank) { return group_.contribution(rank, turn) + begin; },
      group_.result(turn) + begin);
  if (!group_.meet()) return false;
  if (output != nullptr) copy_numbers(type(), output, group_.result(turn), elements);
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
  exchange.algorithm = this;
  exchange.leaves = leave_briefly;
  exchange.takes = take_briefly;
  return exchange;
}

void SharedMemoryAllreduce::leave_briefly(const BriefExchange& exchange, const void* input, const void* /*output*/) {
  const HostGroup& group = static_cast<SharedMemoryAllreduce*>(exchange.algorithm)->group_;
  const std::size_t turn = exchange.meeting->meetings() + 1;
  std::memcpy(group.short_contribution(group.rank(), turn, exchange.bytes), input, exchange.bytes);
}

bool SharedMemoryAllreduce::take_briefly(const BriefExchange& exchange, const void* /*input*/, void* output) {
  auto& own = *static_cast<SharedMemoryAllreduce*>(exchange.algorithm);
  auto* const result = static_cast<std::byte*>(output);
  if (!own.is_whole(exchange.bytes)) return own.reduce_in_parts(*exchange.order, exchange.elements, result);
  const std::size_t turn = exchange.meeting->meetings();
  own.reduce_in(
      *exchange.order, exchange.elements,
      [&](int rank) { return own.group_.short_contribution(rank, turn, exchange.bytes); }, result);
  return true;
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
  const auto read_result = [&](std::size_t k) {
    const auto [begin, bytes] = place_of(k);
    if (data.outputs != 0) copy_numbers(type(), output + begin, group_.result(k), bytes / element_bytes());
  };
  return carry_chunks(chunks(data), contribute, reduce_part, read_result);
}

}  // namespace airamp::pmpi
