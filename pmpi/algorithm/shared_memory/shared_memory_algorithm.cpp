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

/// Not where the ranks agree elsewhere, as the same ranks do that have a meeting of their GPUs; nor behind a meeting
/// that was closed, for who was late there may still read what was laid out for the one before it.
bool SharedMemoryAlgorithm::stage(const CollectiveData& data) {
  const HostMeeting* const meeting = resources_.host_meeting();
  if (meeting == nullptr || meeting->was_closed() || chunks(data) > 1 || !is_prepared(data)) return false;
  lay_out(data, 0, meeting->meetings() + 1);
  return true;
}

int SharedMemoryAlgorithm::finish(const CollectiveData& data) {
  take(data, 0, group_.meeting().meetings());
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
