// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/compressed/two_shot.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/codec_queues.hpp"
#include "pmpi/group/levels/two_level_group.hpp"

namespace airamp::pmpi {

/// Allreduce of GPU buffers on several hosts in three steps: the ranks of each host reduce over peer memory, so that
/// each has a shard of its host's result; the ranks of each rail reduce their shards over MPI, compressed or not; the
/// ranks of each host gather the shards over peer memory. All in the output buffer; all ranks get the same bits.
class TwoLevelAllreduce final : public Algorithm {
 public:
  /// `compressed`: what reduces shards on the rail, with `queues`; both empty: without loss.
  TwoLevelAllreduce(TwoLevelGroup& group, const PeerRegion& region, const LocalFacts& facts,
                    std::unique_ptr<TwoShotAllreduce> compressed, CodecQueues* queues);

  /// Collective. Returns an MPI error code: what fails before the last step fails on all ranks, what fails in it on
  /// those of a host.
  int execute(const CollectiveData& data) override;

 private:
  /// The vector: a shard for each rank of a host, and the rest, of which each has all.
  struct Cut {
    std::size_t shard;
    std::size_t rest;
    std::size_t first_of_rest;
  };
  Cut cut(std::size_t elements) const;
  gpu::PeerCollective collective(gpu::Pattern pattern) const;
  int reduce_on_host(const Cut& cut, const std::byte* input, std::byte* output);
  int reduce_on_rail(const Cut& cut, std::byte* output, bool well);
  int gather_on_host(const Cut& cut, std::byte* output);
  int run(gpu::PeerCollective& collective);
  bool all_well(bool well);
  std::byte* own_shard(const Cut& cut, std::byte* output) const;

  TwoLevelGroup& group_;
  const PeerRegion& region_;
  DataType type_;
  ReduceOp op_;
  std::size_t element_bytes_;
  std::unique_ptr<TwoShotAllreduce> compressed_;
  CodecQueues* queues_;
};

}  // namespace airamp::pmpi
