// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/two_level.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/agree.hpp"

namespace airamp::pmpi {
namespace {

// Shards begin where the kernels can load as many bytes at once, if the buffer does.
constexpr std::size_t shard_alignment = 16;

}  // namespace

TwoLevelAllreduce::TwoLevelAllreduce(TwoLevelGroup& group, const PeerRegion& region, const LocalFacts& facts,
                                     std::unique_ptr<TwoShotAllreduce> compressed, CodecQueues* queues)
    : group_(group),
      region_(region),
      type_(facts.type),
      op_(facts.op),
      element_bytes_(size_of(facts.type)),
      compressed_(std::move(compressed)),
      queues_(queues) {}

int TwoLevelAllreduce::execute(const CollectiveData& data) {
  const Cut parts = cut(data.elements);
  auto* const output = static_cast<std::byte*>(data.output);
  int error = reduce_on_host(parts, static_cast<const std::byte*>(data.input), output);
  // who failed takes part all the same, since the other hosts wait for him
  const int rail_error = reduce_on_rail(parts, output, error == MPI_SUCCESS);
  if (error == MPI_SUCCESS) error = rail_error;
  const Result<bool> rail_well = agree_on_success(group_.rail_communicator().get(), error == MPI_SUCCESS);
  // every host has a rank on every rail: now all ranks know whether all is well
  if (!all_well(rail_well.ok() && *rail_well)) {
    group_.break_off();
    return error != MPI_SUCCESS ? error : MPI_ERR_OTHER;
  }
  error = gather_on_host(parts, output);
  if (error != MPI_SUCCESS) group_.break_off();
  return error;
}

TwoLevelAllreduce::Cut TwoLevelAllreduce::cut(std::size_t elements) const {
  const auto ranks = static_cast<std::size_t>(group_.ranks_on_host());
  const std::size_t together = shard_alignment / element_bytes_;
  const std::size_t shard = elements / ranks / together * together;
  return {.shard = shard, .rest = elements - shard * ranks, .first_of_rest = shard * ranks};
}

gpu::PeerCollective TwoLevelAllreduce::collective(gpu::Pattern pattern) const {
  gpu::PeerCollective result;
  result.pattern = pattern;
  result.type = type_;
  result.op = op_;
  return result;
}

int TwoLevelAllreduce::reduce_on_host(const Cut& cut, const std::byte* input, std::byte* output) {
  int error = MPI_SUCCESS;
  if (cut.shard > 0) {
    gpu::PeerCollective shards = collective(gpu::Pattern::reduce_scatter_block);
    shards.elements = cut.shard;
    shards.input = input;
    shards.output = own_shard(cut, output);
    group_.peers().meeting().meet(0);
    error = run(shards);
  }
  if (cut.rest > 0) {
    gpu::PeerCollective rest = collective(gpu::Pattern::allreduce);
    rest.shots = gpu::Shots::one;
    rest.elements = cut.rest;
    rest.input = input + cut.first_of_rest * element_bytes_;
    rest.output = output + cut.first_of_rest * element_bytes_;
    group_.peers().meeting().meet(0);
    const int rest_error = run(rest);
    if (error == MPI_SUCCESS) error = rest_error;
  }
  return error;
}

/// Every rail reduces the rest, with the same bits.
int TwoLevelAllreduce::reduce_on_rail(const Cut& cut, std::byte* output, bool well) {
  std::byte* const shard = own_shard(cut, output);
  int error = MPI_SUCCESS;
  if (cut.shard > 0 && compressed_ != nullptr) {
    // a kernel that never ends may keep others from starting
    if (!well) queues_->fail(gpu::Error{});
    CollectiveData data;
    data.input = shard;
    data.output = shard;
    data.elements = cut.shard;
    error = compressed_->execute(data);
  } else if (cut.shard > 0) {
    error = group_.rail().allreduce(type_, op_, shard, cut.shard, well);
  }
  if (cut.rest == 0) return error;
  const int rest_error =
      group_.rail().allreduce(type_, op_, output + cut.first_of_rest * element_bytes_, cut.rest, well);
  return error != MPI_SUCCESS ? error : rest_error;
}

int TwoLevelAllreduce::gather_on_host(const Cut& cut, std::byte* output) {
  if (cut.shard == 0) return MPI_SUCCESS;
  gpu::PeerCollective shards = collective(gpu::Pattern::allgather);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(group_.ranks_on_host()); ++rank) {
    shards.blocks[rank] = {.offset = rank * cut.shard, .elements = cut.shard};
  }
  shards.input = own_shard(cut, output);
  shards.output = output;
  return run(shards);
}

/// Other hosts wait for what comes of it, so it is not called off: it waits for room on the GPU as long as it takes.
int TwoLevelAllreduce::run(gpu::PeerCollective& collective) {
  int error = MPI_SUCCESS;
  bool called_off = true;  // at once, while the group pauses after another communicator's call
  while (error == MPI_SUCCESS && called_off)
    error = group_.peers().run(collective, region_, std::numeric_limits<double>::infinity(), called_off);
  return error;
}

/// Whether all ranks of the host are; a meeting of theirs.
bool TwoLevelAllreduce::all_well(bool well) {
  const HostMeeting::Words words = group_.peers().meeting().meet(well ? 1 : 0);
  return std::all_of(words.begin(), words.begin() + group_.ranks_on_host(), [](auto word) { return word == 1; });
}

std::byte* TwoLevelAllreduce::own_shard(const Cut& cut, std::byte* output) const {
  return output + static_cast<std::size_t>(group_.rank_on_host()) * cut.shard * element_bytes_;
}

namespace {

bool carries_exactly(const AgreedFacts& facts) {
  return on_gpu(facts.local.memory) && facts.kind == Kind::allreduce && facts.local.lossless &&
         may_be_two_level(facts.size);
}

bool carries_compressed(const AgreedFacts& facts) { return facts.local.lossy && carries_exactly(facts); }

/// nullptr if this rank's GPU cannot. Local; throws NoScratch or std::bad_alloc.
std::unique_ptr<Algorithm> make(const Acquisition& acquisition, TwoLevelGroup& group, const PeerRegion* region) {
  if (region == nullptr) return nullptr;
  if (!is_lossy(acquisition.id)) {
    return std::make_unique<TwoLevelAllreduce>(group, *region, acquisition.facts, nullptr, nullptr);
  }
  const ElementType element = element_type(acquisition.facts.type).value();
  std::unique_ptr<RowCodec> rows = make_row_codec(acquisition);
  if (rows == nullptr) return nullptr;
  auto compressed = std::make_unique<TwoShotAllreduce>(
      std::move(rows), job_codec(element), acquisition.facts.op, element, scratch_for(acquisition),
      route_on(group.rail_communicator(), group.hosts(), *acquisition.tag), group.host());
  return std::make_unique<TwoLevelAllreduce>(group, *region, acquisition.facts, std::move(compressed),
                                             acquisition.resources.codec_queues.get());
}

Acquired acquire(const Acquisition& acquisition) {
  MadeOnce<std::unique_ptr<TwoLevelGroup>>& two_level = acquisition.resources.two_level;
  int error = agree_on_order_of_release(acquisition);
  if (error != MPI_SUCCESS) return {.error = error};
  error = make_once(acquisition, two_level, TwoLevelGroup::create, "has no two levels");
  if (error != MPI_SUCCESS) return {.error = error};
  if (two_level.made == nullptr) return {.why_not = "no two levels: " + two_level.why_not};
  TwoLevelGroup& group = *two_level.made;
  error = group.peers().acquire_region(group.host_communicator(), acquisition.max_bytes);
  if (error != MPI_SUCCESS) return {.error = error};
  const PeerRegion* region = group.peers().region(acquisition.max_bytes);
  error = acquire_tag(acquisition, acquisition.tag);
  if (error != MPI_SUCCESS) return {.error = error};
  if (!acquisition.tag) return {.why_not = no_tag};
  return acquire_with_scratch(acquisition, [&] { return make(acquisition, group, region); });
}

}  // namespace

extern constexpr AlgorithmEntry two_level_entry{.order = 50, .carries = carries_exactly, .acquire = acquire};
extern constexpr AlgorithmEntry two_level_compressed_entry{
    .order = 60, .carries = carries_compressed, .acquire = acquire};

}  // namespace airamp::pmpi
