// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

int SharedMemoryAlgorithm::execute(const CollectiveData& data) {
  const std::size_t all = chunks(data);
  for (std::size_t chunk = 0; chunk < all; ++chunk) {
    lay_out(data, chunk, group_.meeting().meetings() + 1);
    if (!group_.meet()) return MPI_ERR_OTHER;
    take(data, chunk, group_.meeting().meetings());
  }
  return MPI_SUCCESS;
}

bool SharedMemoryAlgorithm::stage(const CollectiveData& data) {
  if (chunks(data) > 1 || !is_prepared(data)) return false;
  lay_out(data, 0, group_.meeting().meetings() + 1);
  return true;
}

int SharedMemoryAlgorithm::finish(const CollectiveData& data) {
  take(data, 0, group_.meeting().meetings());
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
