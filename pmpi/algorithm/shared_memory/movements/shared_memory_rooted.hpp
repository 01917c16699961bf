// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

/// What gather and scatter have in common: a chunk has a piece of every rank's block, each in that rank's place.
class SharedMemoryRooted : public SharedMemoryAlgorithm {
 public:
  using SharedMemoryAlgorithm::SharedMemoryAlgorithm;

 protected:
  bool is_root(const CollectiveData& data) const { return group_.rank() == data.root; }

  Chunk piece(const CollectiveData& data, std::size_t chunk) const {
    return chunk_of(data.elements, group_.chunk_bytes(), chunk);
  }

  /// Rank `rank`'s block of those that the root has.
  template <class Byte>
  static Byte* block(Byte* all, int rank, const CollectiveData& data) {
    return all + static_cast<std::size_t>(rank) * data.elements;
  }

 private:
  std::size_t chunks(const CollectiveData& data) const override {
    return chunks_of(data.elements, group_.chunk_bytes());
  }
};

/// Gather: every rank lays out a chunk of its block, and the root takes all.
class SharedMemoryRootedGather final : public SharedMemoryRooted {
 public:
  using SharedMemoryRooted::SharedMemoryRooted;

  BriefExchange brief_exchange(const CollectiveData& data) override;

 private:
  static bool take_briefly(const BriefExchange& exchange, const void* input, void* output);
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
};

/// Scatter: the root lays out a chunk of every block, in the place of the rank that takes it. Nobody else lays out
/// anything, unless their calls differ, and then nobody looks at it.
class SharedMemoryScatter final : public SharedMemoryRooted {
 public:
  using SharedMemoryRooted::SharedMemoryRooted;

 private:
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
};

}  // namespace airamp::pmpi
