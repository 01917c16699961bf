// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduction.hpp"

namespace airamp::pmpi {

SharedMemoryReduction::SharedMemoryReduction(const CommunicatorResources& resources, MPI_Comm comm, Kind kind,
                                             const LocalFacts& facts)
    : SharedMemoryAlgorithm(resources), OrderedReduction(kind, comm, group_.rank(), group_.size(), facts) {}

int SharedMemoryReduction::execute(const CollectiveData& data) {
  if (const int error = find_order(data); error != MPI_SUCCESS) return error;
  called_off_ = !is_prepared(data);
  return called_off_ ? MPI_SUCCESS : carry(data);
}

}  // namespace airamp::pmpi
