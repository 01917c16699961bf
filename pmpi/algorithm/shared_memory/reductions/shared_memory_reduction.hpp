// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/algorithm/orders/ordered_reduction.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

/// What the reductions of numbers have in common.
class SharedMemoryReduction : public SharedMemoryAlgorithm, protected OrderedReduction {
 public:
  /// For a reduction that reduce_by_tree knows. `comm`: the application's. Throws std::bad_alloc.
  SharedMemoryReduction(const CommunicatorResources& resources, MPI_Comm comm, Kind kind, const LocalFacts& facts);

  int execute(const CollectiveData& data) final;
  Reason why_called_off() const final { return why_called_off_; }
  bool promises_native_bits() const final { return !keeps_own_order(); }
  bool adds_in_own_order() const final { return keeps_own_order(); }
  Result<bool> prepare_trial(const CollectiveData& data) final { return confirm_order_of(data); }

 protected:
  /// A call whose order is known.
  virtual int carry(const CollectiveData& data) { return SharedMemoryAlgorithm::execute(data); }

  bool is_prepared(const CollectiveData& data) const final { return known_order(data) != nullptr; }

 private:
  Reason why_called_off_ = Reason::none;
};

}  // namespace airamp::pmpi
