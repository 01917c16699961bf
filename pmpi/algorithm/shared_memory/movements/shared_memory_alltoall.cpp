// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_alltoall.hpp"

#include <cstring>

#include "base/copy_around_caches.hpp"

namespace airamp::pmpi {
namespace {

template <class Byte>
Byte* block_of(Byte* vector, int rank, std::size_t block_bytes) {
  return vector + static_cast<std::size_t>(rank) * block_bytes;
}

}  // namespace

/// Whether the blocks for all ranks go at once, as one vector.
bool SharedMemoryAlltoall::is_whole(std::size_t block_bytes) const {
  return block_bytes * static_cast<std::size_t>(group_.size()) <= group_.chunk_bytes();
}

std::size_t SharedMemoryAlltoall::chunks(const CollectiveData& data) const {
  return is_whole(data.elements) ? std::size_t{data.elements > 0} : steps(data.elements).count();
}

void SharedMemoryAlltoall::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  lay_out(data.elements, data.input, chunk, turn);
}

void SharedMemoryAlltoall::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  take(data.elements, data.input, data.output, chunk, turn);
}

BriefExchange SharedMemoryAlltoall::brief_exchange(const CollectiveData& data) {
  return {.meeting = &group_.meeting(),
          .leaves = leave_briefly,
          .takes = take_briefly,
          .algorithm = this,
          .bytes = data.elements};
}

void SharedMemoryAlltoall::leave_briefly(const BriefExchange& exchange, const void* input, const void* /*output*/) {
  static_cast<SharedMemoryAlltoall*>(exchange.algorithm)
      ->lay_out(exchange.bytes, input, 0, exchange.meeting->meetings() + 1);
}

bool SharedMemoryAlltoall::take_briefly(const BriefExchange& exchange, const void* input, void* output) {
  static_cast<SharedMemoryAlltoall*>(exchange.algorithm)
      ->take(exchange.bytes, input, output, 0, exchange.meeting->meetings());
  return true;
}

void SharedMemoryAlltoall::lay_out(std::size_t block_bytes, const void* input, std::size_t chunk,
                                   std::size_t turn) const {
  const auto* const blocks = static_cast<const std::byte*>(input);
  if (is_whole(block_bytes)) {
    const std::size_t bytes = block_bytes * static_cast<std::size_t>(group_.size());
    std::memcpy(group_.short_contribution(group_.rank(), turn, bytes), blocks, bytes);
    return;
  }
  const AlltoallSteps all = steps(block_bytes);
  const auto [begin, bytes] = all.piece(chunk);
  std::byte* const place = group_.contribution(group_.rank(), turn);
  all.for_partners(group_.rank(), chunk, [&, begin = begin, bytes = bytes](int to, int /*below*/, std::size_t offset) {
    std::memcpy(place + offset, block_of(blocks, to, block_bytes) + begin, bytes);
  });
}

/// In place, what is overwritten has been laid out.
void SharedMemoryAlltoall::take(std::size_t block_bytes, const void* input, void* output, std::size_t chunk,
                                std::size_t turn) const {
  if (is_whole(block_bytes)) return take_whole(block_bytes, input, output, turn);
  auto* const blocks = static_cast<std::byte*>(output);
  if (chunk == 0 && output != input) {
    std::memcpy(block_of(blocks, group_.rank(), block_bytes),
                block_of(static_cast<const std::byte*>(input), group_.rank(), block_bytes), block_bytes);
  }
  const bool long_output = block_bytes * static_cast<std::size_t>(group_.size()) >= bytes_around_caches;
  const AlltoallSteps all = steps(block_bytes);
  const auto [begin, bytes] = all.piece(chunk);
  all.for_partners(group_.rank(), chunk,
                   [&, begin = begin, bytes = bytes](int /*above*/, int from, std::size_t offset) {
                     std::byte* const to = block_of(blocks, from, block_bytes) + begin;
                     const std::byte* const piece = group_.contribution(from, turn) + offset;
                     if (long_output) {
                       base::copy_around_caches(to, piece, bytes);
                     } else {
                       std::memcpy(to, piece, bytes);
                     }
                   });
}

void SharedMemoryAlltoall::take_whole(std::size_t block_bytes, const void* input, void* output,
                                      std::size_t turn) const {
  const std::size_t all_bytes = block_bytes * static_cast<std::size_t>(group_.size());
  auto* const to = static_cast<std::byte*>(output);
  for (int step = 0; step < group_.size(); ++step) {
    const int rank = (group_.rank() + step) % group_.size();  // not all from the same one at once
    const bool own = rank == group_.rank();
    if (own && output == input) continue;
    const std::byte* const vector =
        own ? static_cast<const std::byte*>(input) : group_.short_contribution(rank, turn, all_bytes);
    std::memcpy(block_of(to, rank, block_bytes), block_of(vector, group_.rank(), block_bytes), block_bytes);
  }
}

}  // namespace airamp::pmpi
