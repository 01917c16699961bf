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

std::size_t table_bytes(int size) { return static_cast<std::size_t>(size) * sizeof(std::uint64_t); }

}  // namespace

SharedMemoryExchange::SharedMemoryExchange(const CommunicatorResources& resources, CollectiveKind kind)
    : group_(*resources.host.made),
      flow_(data_flow_of(kind)),
      streams_(static_cast<std::size_t>(group_.size())),
      blocks_(static_cast<std::size_t>(group_.size())) {}

std::size_t SharedMemoryExchange::bytes_before_streams(int size) { return base::whole_cache_lines(table_bytes(size)); }

template <class Use>
void SharedMemoryExchange::for_receivers(int root, const Use& use) const {
  if (!sends(group_.rank(), root)) return;
  if (flow_ == DataFlow::all_to_root) {
    if (group_.rank() != root) use(root);
    return;
  }
  for (int distance = 1; distance < group_.size(); ++distance) use(rank_behind(group_.rank(), distance));
}

template <class Use>
void SharedMemoryExchange::for_senders(int root, const Use& use) const {
  if (flow_ == DataFlow::all_to_root && group_.rank() != root) return;
  if (flow_ == DataFlow::root_to_all) {
    if (group_.rank() != root) use(root);
    return;
  }
  for (int distance = group_.size() - 1; distance > 0; --distance) use(rank_behind(group_.rank(), distance));
}

/// Bytes of a stream in one chunk.
std::size_t SharedMemoryExchange::room() const {
  return group_.chunk_bytes() - (has_table() ? bytes_before_streams(group_.size()) : 0);
}

/// Beside the rank's word, which all look at anyway.
std::uint64_t& SharedMemoryExchange::stream_bytes(int rank, std::size_t turn) const {
  return *reinterpret_cast<std::uint64_t*>(group_.meeting().data(rank, turn));
}

/// The same on all ranks for the same `bytes`.
SharedMemoryExchange::Place SharedMemoryExchange::place(int rank, std::uint64_t bytes, std::size_t turn) const {
  const std::size_t table = has_table() ? table_bytes(group_.size()) : 0;
  constexpr std::size_t beside_word = HostMeeting::max_data_bytes - sizeof(std::uint64_t);
  if (bytes <= beside_word && table <= beside_word - bytes) {
    std::byte* const at = group_.meeting().data(rank, turn) + sizeof(std::uint64_t);
    return {.begins = reinterpret_cast<std::uint64_t*>(at), .bytes = at + table};
  }
  std::byte* const at = group_.contribution(rank, turn);
  return {.begins = reinterpret_cast<std::uint64_t*>(at), .bytes = at + base::whole_cache_lines(table)};
}

void SharedMemoryExchange::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const Chunk window{.begin = chunk * room(), .bytes = room()};
  const Place to = place(group_.rank(), own_bytes_, turn);
  const bool writes_table = has_table() && chunk == 0 && own_bytes_ > 0;
  std::uint64_t begin = 0;
  for_receivers(data.root, [&](int rank) {
    const SentBlock& block = data.sent[static_cast<std::size_t>(rank)];
    if (writes_table) to.begins[rank] = begin;
    const Overlap part = overlap_of(begin, begin + block.elements, window);
    if (part.begin < part.end) {
      std::memcpy(to.bytes + (part.begin - window.begin), block.input + (part.begin - begin), part.end - part.begin);
    }
    begin += block.elements;
  });
  if (writes_table) to.begins[group_.rank()] = begin;
}

std::uint64_t SharedMemoryExchange::longest_stream(int root, std::size_t turn) const {
  if (flow_ == DataFlow::root_to_all) return stream_bytes(root, turn);
  std::uint64_t longest = 0;
  for (int rank = 0; rank < group_.size(); ++rank) longest = std::max(longest, stream_bytes(rank, turn));
  return longest;
}

/// Rank `rank`'s, of so many bytes, that lies there as a whole or with its beginning.
SharedMemoryExchange::Stream SharedMemoryExchange::stream_of(int rank, std::uint64_t bytes, std::size_t turn) const {
  if (bytes == 0) return {};
  if (!has_table()) return {.begin = 0, .end = bytes, .bytes = bytes};
  const std::uint64_t* const begins = place(rank, bytes, turn).begins;
  return {.begin = begins[group_.rank()], .end = begins[rank_behind(group_.rank(), 1)], .bytes = bytes};
}

/// Where all streams are one chunk: in as few steps as it takes.
int SharedMemoryExchange::take_whole(const CollectiveData& data) const {
  const std::size_t turn = group_.meeting().meetings();
  bool fits = true;
  for_senders(data.root, [&](int rank) {
    const Stream stream = stream_of(rank, stream_bytes(rank, turn), turn);
    const GatherBlock& block = data.blocks[static_cast<std::size_t>(rank)];
    const std::uint64_t sent = stream.end - stream.begin;
    fits = fits && sent <= block.elements;
    if (const std::uint64_t bytes = std::min<std::uint64_t>(sent, block.elements); bytes > 0)
      std::memcpy(block.output, place(rank, stream.bytes, turn).bytes + stream.begin, bytes);
  });
  keep_own(data);
  return fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

void SharedMemoryExchange::look_at_streams(int root, std::size_t turn) {
  for (int rank = 0; rank < group_.size(); ++rank) {
    const std::uint64_t bytes = sends(rank, root) ? stream_bytes(rank, turn) : 0;
    streams_[static_cast<std::size_t>(rank)] = {.bytes = bytes};
  }
  for_senders(root, [&](int rank) {
    Stream& stream = streams_[static_cast<std::size_t>(rank)];
    stream = stream_of(rank, stream.bytes, turn);
  });
}

void SharedMemoryExchange::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const Chunk window{.begin = chunk * room(), .bytes = room()};
  for_senders(data.root, [&](int rank) {
    const Stream& stream = streams_[static_cast<std::size_t>(rank)];
    const GatherBlock& block = data.blocks[static_cast<std::size_t>(rank)];
    const Overlap part = overlap_of(stream.begin, std::min(stream.end, stream.begin + block.elements), window);
    if (part.begin >= part.end) return;
    std::memcpy(block.output + (part.begin - stream.begin),
                place(rank, stream.bytes, turn).bytes + (part.begin - window.begin), part.end - part.begin);
  });
}

int SharedMemoryExchange::execute(const CollectiveData& data) {
  stage(data);
  return group_.meet() ? finish(data) : MPI_ERR_OTHER;
}

bool SharedMemoryExchange::stage(const CollectiveData& data) {
  const std::size_t turn = group_.meeting().meetings() + 1;
  own_bytes_ = 0;
  for_receivers(data.root, [&](int rank) { own_bytes_ += data.sent[static_cast<std::size_t>(rank)].elements; });
  stream_bytes(group_.rank(), turn) = own_bytes_;
  lay_out(data, 0, turn);
  return true;
}

/// No rank knows before the first meeting how many chunks there are.
int SharedMemoryExchange::finish(const CollectiveData& data) {
  const std::uint64_t longest = longest_stream(data.root, group_.meeting().meetings());
  return longest <= room() ? take_whole(data) : take_in_chunks(data, longest);
}

int SharedMemoryExchange::take_in_chunks(const CollectiveData& data, std::uint64_t longest) {
  look_at_streams(data.root, group_.meeting().meetings());
  own_bytes_ = streams_[static_cast<std::size_t>(group_.rank())].bytes;  // another one may have staged the call
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
