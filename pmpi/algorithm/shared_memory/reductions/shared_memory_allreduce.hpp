// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduction.hpp"

namespace airamp::pmpi {

/// Allreduce, and reduce to a root: every rank lays out its contribution to a chunk, reduces its part of all
/// contributions, and reads the result of all if it is to have it. Short vectors are reduced as a whole by everyone who
/// is to have the result.
class SharedMemoryAllreduce final : public SharedMemoryReduction {
 public:
  using SharedMemoryReduction::SharedMemoryReduction;

  bool stage(const CollectiveData& data) override;
  int finish(const CollectiveData& data) override;
  BriefExchange brief_exchange(const CollectiveData& data) override;

 private:
  int carry(const CollectiveData& data) override;
  std::size_t chunks(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  std::size_t bytes_of(const CollectiveData& data) const { return data.elements * element_bytes(); }
  bool reduce_in_parts(const SummationTree& order, std::size_t elements, std::byte* output);
  ShortReduction short_reduction_of_parts(const SummationTree& order, std::size_t elements) const;
  bool reduce_in_long_parts(const SummationTree& order, std::size_t elements, std::byte* output);
  bool reduce_in_short_parts(ShortReduction reduce_short, const SummationTree& order, std::size_t elements,
                             std::byte* output);
  static bool take_long_parts_briefly(const BriefExchange& exchange, const void* input, void* output);
  static bool take_short_parts_briefly(const BriefExchange& exchange, const void* input, void* output);
  bool carry_in_chunks(const CollectiveData& data);
};

}  // namespace airamp::pmpi
