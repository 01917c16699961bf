// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

int SharedMemoryAlgorithm::execute(const CollectiveData& data) {
  const std::size_t all = chunks(data);
  if (all == 0) return MPI_SUCCESS;
  const std::size_t first = group_.meeting().meetings() + 1;
  lay_out(data, 0, first);
  group_.arrive();
  for (std::size_t chunk = 0; chunk < all; ++chunk) {
    if (!group_.hear()) return MPI_ERR_OTHER;
    if (chunk + 1 < all) {
      lay_out(data, chunk + 1, first + chunk + 1);
      group_.arrive();
    }
    take(data, chunk, first + chunk);
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
