// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "base/cache_line.hpp"
#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/shared_memory/take_chunks.hpp"

namespace airamp::pmpi {
namespace {

/// What two ranges of a stream have in common.
struct Overlap {
  std::uint64_t begin;
  std::uint64_t end;
};

Overlap overlap_of(std::uint64_t begin, std::uint64_t end, const Chunk& chunk) {
  return {.begin = std::max<std::uint64_t>(begin, chunk.begin),
          .end = std::min<std::uint64_t>(end, chunk.begin + chunk.bytes)};
}

}  // namespace

SharedMemoryExchange::SharedMemoryExchange(const CommunicatorResources& resources, std::uint64_t longest_stream)
    : group_(*resources.host.made),
      longest_stream_(longest_stream),
      streams_(static_cast<std::size_t>(group_.size())) {}

/// The beginnings of a rank's blocks, by rank, lie before its chunk. Where its own would be is the end of the last one:
/// the rank itself is behind that one's.
std::uint64_t* SharedMemoryExchange::begins(int rank, std::size_t turn) const {
  return reinterpret_cast<std::uint64_t*>(group_.contribution(rank, turn));
}

std::byte* SharedMemoryExchange::place(int rank, std::size_t turn) const {
  return group_.contribution(rank, turn) + group_.chunk_bytes() - room();
}

/// Bytes of a stream in one chunk.
std::size_t SharedMemoryExchange::room() const {
  const std::size_t bytes = static_cast<std::size_t>(group_.size()) * sizeof(std::uint64_t);
  return group_.chunk_bytes() - base::whole_cache_lines(bytes);
}

void SharedMemoryExchange::lay_out_begins(const CollectiveData& data, std::size_t turn) {
  std::uint64_t* const to = begins(group_.rank(), turn);
  std::uint64_t next = 0;
  for_others([&](int rank) {
    to[rank] = next;
    next += data.sent[static_cast<std::size_t>(rank)].elements;
  });
  to[group_.rank()] = next;
}

void SharedMemoryExchange::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const Chunk window{.begin = chunk * room(), .bytes = room()};
  std::byte* const to = place(group_.rank(), turn);
  std::uint64_t begin = 0;
  for_others([&](int rank) {
    const SentBlock& block = data.sent[static_cast<std::size_t>(rank)];
    const Overlap part = overlap_of(begin, begin + block.elements, window);
    if (part.begin < part.end) {
      std::memcpy(to + (part.begin - window.begin), block.input + (part.begin - begin), part.end - part.begin);
    }
    begin += block.elements;
  });
}

void SharedMemoryExchange::look_at_streams(std::size_t turn) {
  for (int rank = 0; rank < group_.size(); ++rank) {
    const std::uint64_t* const from = begins(rank, turn);
    streams_[static_cast<std::size_t>(rank)] = {
        .begin = from[group_.rank()], .end = from[rank_behind(group_.rank(), 1)], .bytes = from[rank]};
  }
}

void SharedMemoryExchange::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const Chunk window{.begin = chunk * room(), .bytes = room()};
  for (int step = 1; step < group_.size(); ++step) {
    const int rank = rank_behind(group_.rank(), group_.size() - step);  // what lies first in their streams first
    const Stream& stream = streams_[static_cast<std::size_t>(rank)];
    const GatherBlock& block = data.blocks[static_cast<std::size_t>(rank)];
    const Overlap part = overlap_of(stream.begin, std::min(stream.end, stream.begin + block.elements), window);
    if (part.begin >= part.end) continue;
    std::memcpy(block.output + (part.begin - stream.begin), place(rank, turn) + (part.begin - window.begin),
                part.end - part.begin);
  }
}

int SharedMemoryExchange::execute(const CollectiveData& data) {
  stage(data);
  return group_.meet() ? finish(data) : MPI_ERR_OTHER;
}

bool SharedMemoryExchange::stage(const CollectiveData& data) {
  const std::size_t turn = group_.meeting().meetings() + 1;
  lay_out_begins(data, turn);
  lay_out(data, 0, turn);
  return true;
}

/// No rank knows before the first meeting how many chunks there are.
int SharedMemoryExchange::finish(const CollectiveData& data) {
  look_at_streams(group_.meeting().meetings());
  std::uint64_t longest = 1;
  for (const Stream& stream : streams_) longest = std::max(longest, stream.bytes);
  why_left_ = longest > longest_stream_ && !data.at_any_price ? Reason::long_blocks : Reason::none;
  if (why_left_ != Reason::none) return MPI_SUCCESS;
  const bool taken = take_chunks(
      group_, chunks_of(longest, room()), [&](std::size_t chunk, std::size_t turn) { lay_out(data, chunk, turn); },
      [&](std::size_t chunk, std::size_t turn) { take(data, chunk, turn); });
  if (!taken) return MPI_ERR_OTHER;
  keep_own(data);
  for (std::size_t rank = 0; rank < streams_.size(); ++rank) {
    const bool fits = streams_[rank].end - streams_[rank].begin <= data.blocks[rank].elements;
    if (static_cast<int>(rank) != group_.rank() && !fits) return MPI_ERR_TRUNCATE;
  }
  return MPI_SUCCESS;
}

void SharedMemoryExchange::keep_own(const CollectiveData& data) const {
  const auto own = static_cast<std::size_t>(group_.rank());
  const SentBlock& kept = data.sent[own];
  const GatherBlock& to = data.blocks[own];
  if (kept.elements > 0 && to.output != kept.input) std::memcpy(to.output, kept.input, kept.elements);
}

}  // namespace airamp::pmpi
