// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/peer_algorithm.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/algorithm/started_peer_reduction.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/pattern.hpp"
#include "pmpi/group/block_lengths.hpp"
#include "pmpi/group/peer_regions.hpp"

namespace airamp::pmpi {
namespace {

std::optional<WireFormat> wire_of(AlgorithmId id) {
  if (!is_lossy(id)) return std::nullopt;
  return job_wire_format();
}

}  // namespace

PeerAlgorithm::PeerAlgorithm(PeerGroup& group, const PeerRegion& region, Kind kind, AlgorithmId id,
                             const LocalFacts& facts)
    : group_(group), region_(region), kind_(kind) {
  collective_.pattern = pattern_of(kind);
  collective_.shots = id == AlgorithmId::peer_one_shot ? gpu::Shots::one : gpu::Shots::two;
  collective_.wire = wire_of(id);
  collective_.type = facts.type;
  collective_.op = facts.op;
  collective_.is_local = facts.memory == Memory::device;
}

/// Blocks as offsets from the lowest one, which need not be the first.
void PeerAlgorithm::lay_out_gather(const CollectiveData& data) {
  const auto lowest = std::min_element(data.blocks.begin(), data.blocks.end(),
                                       [](const auto& a, const auto& b) { return std::less<>{}(a.output, b.output); });
  collective_.output = lowest->output;
  for (std::size_t rank = 0; rank < data.blocks.size(); ++rank) {
    const auto bytes = static_cast<std::uint64_t>(data.blocks[rank].output - lowest->output);
    collective_.blocks[rank] = {.offset = bytes / size_of(collective_.type), .elements = data.blocks[rank].elements};
  }
}

/// Of an alltoall, gather or scatter: one behind the other, where there are several.
void PeerAlgorithm::lay_out_equal_blocks(const CollectiveData& data) {
  const bool root = group_.rank() == data.root;
  for (int rank = 0; rank < group_.size(); ++rank) {
    const bool given = kind_ == Kind::alltoall || (kind_ == Kind::gather ? rank == data.root : root);
    const bool taken = kind_ == Kind::alltoall || (kind_ == Kind::gather ? root : rank == data.root);
    const auto place = static_cast<std::size_t>(rank);
    const std::uint64_t offset = place * data.elements;
    collective_.sent[place] = {.offset = kind_ == Kind::gather ? 0 : offset, .elements = given ? data.elements : 0};
    collective_.blocks[place] = {.offset = kind_ == Kind::scatter ? 0 : offset, .elements = taken ? data.elements : 0};
    collective_.room[place] = collective_.blocks[place].elements;
  }
  if (data.outputs == 0 && root) forget_own_block();  // a scatter's root in place
}

void PeerAlgorithm::forget_own_block() {
  const auto own = static_cast<std::size_t>(group_.rank());
  collective_.sent[own].elements = 0;
  collective_.blocks[own].elements = 0;
  collective_.room[own] = 0;
}

/// What is where it is to be need not be moved.
void PeerAlgorithm::leave_own_block_in_place() {
  const auto own = static_cast<std::size_t>(group_.rank());
  if (collective_.sent[own].elements == 0) return;
  const std::size_t unit = size_of(collective_.type);
  const auto* const from = static_cast<const std::byte*>(collective_.input) + collective_.sent[own].offset * unit;
  const auto* const to = static_cast<const std::byte*>(collective_.output) + collective_.blocks[own].offset * unit;
  if (from == to) forget_own_block();
}

/// Blocks of bytes, likewise from the lowest ones that are not empty.
int PeerAlgorithm::lay_out_blocks_of_any_length(const CollectiveData& data) {
  BlockLengths sent{};
  const auto size = static_cast<int>(data.sent.size());
  for (std::size_t rank = 0; rank < data.sent.size(); ++rank) sent[rank] = data.sent[rank].elements;
  HostMeeting& meeting = group_.meeting();
  const HeardLengths heard = tell_lengths(meeting, group_.rank(), size, sent);
  if (meeting.has_failed()) return MPI_ERR_OTHER;
  collective_.elements = heard.longest;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  for (std::size_t rank = 0; rank < data.sent.size(); ++rank) {
    const SentBlock& given = data.sent[rank];
    const GatherBlock& taken = data.blocks[rank];
    if (given.elements > 0 && (input == nullptr || std::less<>{}(given.input, input))) input = given.input;
    if (taken.elements > 0 && (output == nullptr || std::less<>{}(taken.output, output))) output = taken.output;
  }
  collective_.input = input;
  collective_.output = output;
  for (std::size_t rank = 0; rank < data.sent.size(); ++rank) {
    const SentBlock& given = data.sent[rank];
    const GatherBlock& taken = data.blocks[rank];
    collective_.sent[rank] = {.offset = given.elements > 0 ? static_cast<std::uint64_t>(given.input - input) : 0,
                              .elements = given.elements};
    collective_.blocks[rank] = {.offset = taken.elements > 0 ? static_cast<std::uint64_t>(taken.output - output) : 0,
                                .elements = heard.received[rank]};
    collective_.room[rank] = std::min<std::uint64_t>(taken.elements, heard.received[rank]);
  }
  return MPI_SUCCESS;
}

/// Of a reduce_scatter: what of the vector each rank gets.
void PeerAlgorithm::lay_out_results(const CollectiveData& data) {
  const auto* const input = static_cast<const std::byte*>(data.input);
  collective_.elements = 0;
  for (std::size_t rank = 0; rank < data.sent.size(); ++rank) {
    const SentBlock& block = data.sent[rank];
    const auto offset = static_cast<std::uint64_t>(block.input - input) / size_of(collective_.type);
    collective_.blocks[rank] = {.offset = offset, .elements = block.elements};
    collective_.elements = std::max<std::uint64_t>(collective_.elements, block.elements);
  }
}

int PeerAlgorithm::execute(const CollectiveData& data) {
  collective_.root = data.root;
  collective_.elements = data.elements;
  collective_.input = data.input;
  collective_.output = data.output;
  if (has_blocks_of_any_length(kind_)) {
    if (const int error = lay_out_blocks_of_any_length(data); error != MPI_SUCCESS) return error;
  } else if (kind_ == Kind::reduce_scatter) {
    lay_out_results(data);
  } else if (collective_.pattern == gpu::Pattern::alltoallv) {
    lay_out_equal_blocks(data);
  } else if (!data.blocks.empty()) {
    lay_out_gather(data);
  }
  if (collective_.pattern == gpu::Pattern::alltoallv) leave_own_block_in_place();
  const int error = group_.run(collective_, region_, data.patience_seconds, called_off_, data.meanwhile);
  if (error != MPI_SUCCESS || called_off_ || !has_blocks_of_any_length(kind_)) return error;
  for (std::size_t rank = 0; rank < data.sent.size(); ++rank)
    if (collective_.blocks[rank].elements > data.blocks[rank].elements) return MPI_ERR_TRUNCATE;
  return MPI_SUCCESS;
}

namespace {

// The owners' pipeline was never faster than one shot below this, on 2, 4 and 8 GPUs over NVLink.
constexpr std::uint64_t smallest_two_shot_reduction = 32U << 10U;

bool reaches_peers(const AgreedFacts& facts) {
  return is_for_gpus(facts.kind) && on_gpu(facts.local.memory) && facts.size <= gpu::max_peers;
}

bool one_shot_carries(const AgreedFacts& facts) {
  if (is_started(facts.kind)) return may_start_over_peers(facts);
  // in managed memory the first to be measured pays for the migration: one, then, not two
  const bool managed = facts.local.memory == Memory::managed;
  return facts.local.lossless && reaches_peers(facts) && gpu::may_be_one_shot(pattern_of(facts.kind)) &&
         facts.max_bytes <= max_one_shot_bytes(facts.size) &&
         !(managed && facts.max_bytes >= smallest_two_shot_reduction);
}

bool two_shot_carries(const AgreedFacts& facts) {
  return !is_started(facts.kind) && facts.local.lossless && reaches_peers(facts) &&
         (!one_shot_carries(facts) || facts.max_bytes >= smallest_two_shot_reduction);
}

bool compressed_carries(const AgreedFacts& facts) { return facts.local.lossy && reaches_peers(facts); }

Acquired acquire(const Acquisition& acquisition) {
  MadeOnce<std::shared_ptr<PeerGroup>>& peers = acquisition.resources.peers;
  int error = make_once(acquisition, peers, PeerGroup::find_or_create, "cannot use GPU peer memory");
  if (error != MPI_SUCCESS) return {.error = error};
  if (peers.made == nullptr) return {.why_not = "no GPU peer memory: " + peers.why_not};
  if (is_started(acquisition.kind)) return acquire_started_peers(acquisition);
  // one shot's limit is the small region's; how long blocks may become that have any length, nobody knows
  const std::uint64_t bytes = acquisition.id == AlgorithmId::peer_one_shot ? 0
                              : has_blocks_of_any_length(acquisition.kind) ? std::numeric_limits<std::uint64_t>::max()
                                                                           : acquisition.max_bytes;
  error = peers.made->acquire_region(acquisition.comm, bytes);
  if (error != MPI_SUCCESS) return {.error = error};
  const PeerRegion* region = peers.made->region(bytes);
  if (region == nullptr) return {.why_not = "the GPU scratch memory is taken by other communicators"};
  if (is_lossy(acquisition.id)) peers.made->device().load_compression(job_wire_format());
  return {.algorithm = std::make_unique<PeerAlgorithm>(*peers.made, *region, acquisition.kind, acquisition.id,
                                                       acquisition.facts)};
}

}  // namespace

extern constexpr AlgorithmEntry peer_one_shot_entry{.order = 20, .carries = one_shot_carries, .acquire = acquire};
extern constexpr AlgorithmEntry peer_two_shot_entry{.order = 30, .carries = two_shot_carries, .acquire = acquire};
extern constexpr AlgorithmEntry peer_compressed_entry{.order = 70, .carries = compressed_carries, .acquire = acquire};

}  // namespace airamp::pmpi
