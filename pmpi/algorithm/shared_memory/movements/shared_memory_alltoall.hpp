// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/shared_memory/movements/alltoall_steps.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

/// Alltoall: every rank lays out its blocks for the others, and takes theirs for itself; all at once if the memory
/// holds them, and in steps otherwise.
class SharedMemoryAlltoall final : public SharedMemoryAlgorithm {
 public:
  using SharedMemoryAlgorithm::SharedMemoryAlgorithm;

  BriefExchange brief_exchange(const CollectiveData& data) override;

 private:
  std::size_t chunks(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  static void leave_briefly(const BriefExchange& exchange, const void* input, const void* output);
  static bool take_briefly(const BriefExchange& exchange, const void* input, void* output);
  bool is_whole(std::size_t block_bytes) const;
  AlltoallSteps steps(std::size_t block_bytes) const { return {group_.size(), block_bytes, group_.chunk_bytes()}; }
  void lay_out(std::size_t block_bytes, const void* input, std::size_t chunk, std::size_t turn) const;
  void take(std::size_t block_bytes, const void* input, void* output, std::size_t chunk, std::size_t turn) const;
  void take_whole(std::size_t block_bytes, const void* input, void* output, std::size_t turn) const;
};

}  // namespace airamp::pmpi
