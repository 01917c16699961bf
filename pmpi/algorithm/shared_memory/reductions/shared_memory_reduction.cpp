// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduction.hpp"

namespace airamp::pmpi {

SharedMemoryReduction::SharedMemoryReduction(const CommunicatorResources& resources, MPI_Comm comm, Kind kind,
                                             const LocalFacts& facts)
    : SharedMemoryAlgorithm(resources), OrderedReduction(kind, comm, group_.rank(), group_.size(), facts) {}

int SharedMemoryReduction::execute(const CollectiveData& data) {
  if (const int error = find_order_if_it_pays(data); error != MPI_SUCCESS) return error;
  why_called_off_ = is_prepared(data) ? Reason::none : why_no_order(data);
  return why_called_off_ == Reason::none ? carry(data) : MPI_SUCCESS;
}

}  // namespace airamp::pmpi
