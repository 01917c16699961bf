// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/staged_exchange.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/group/host_group.hpp"

namespace airamp::pmpi {

/// Allgather(v) in host memory among the ranks of one host, through memory that they share. The blocks go in chunks:
/// every rank writes a chunk of its own block, and reads those of the others. Blocks that are all short are written
/// before the ranks agree on the call.
class SharedMemoryGather final : public Algorithm, public StagedExchange {
 public:
  SharedMemoryGather(HostGroup& group, const LocalFacts& facts);

  int execute(const CollectiveData& data) override;
  bool promises_native_bits() const override { return true; }

  StagedExchange* staged_exchange() override { return this; }
  bool stage(const CollectiveData& data) override;
  void finish(const CollectiveData& data) override;

 private:
  std::size_t longest_block(const CollectiveData& data) const;
  std::size_t bytes_in_chunk(const GatherBlock& block, std::size_t chunk) const;
  void contribute(const CollectiveData& data, std::size_t chunk, std::size_t turn);
  void read(const CollectiveData& data, std::size_t chunk, std::size_t turn);

  HostGroup& group_;
  std::size_t element_bytes_;
};

}  // namespace airamp::pmpi
