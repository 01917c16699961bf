// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

#include <cstring>

#include "pmpi/algorithm/shared_memory/take_chunks.hpp"

namespace airamp::pmpi {

int SharedMemoryAlgorithm::execute(const CollectiveData& data) {
  const std::size_t all = chunks(data);
  if (all == 0) return MPI_SUCCESS;
  lay_out(data, 0, group_.meeting().meetings() + 1);
  const bool taken =
      group_.meet() && take_chunks(
                           group_, all, [&](std::size_t chunk, std::size_t turn) { lay_out(data, chunk, turn); },
                           [&](std::size_t chunk, std::size_t turn) { take(data, chunk, turn); });
  return taken ? MPI_SUCCESS : MPI_ERR_OTHER;
}

bool SharedMemoryAlgorithm::stage(const CollectiveData& data) {
  if (!may_stage(data)) return false;
  lay_out(data, 0, group_.meeting().meetings() + 1);
  return true;
}

void SharedMemoryAlgorithm::leave_input(const BriefExchange& exchange, const void* input, const void* /*output*/) {
  const HostGroup& group = *exchange.group;
  const std::size_t turn = exchange.meeting->meetings() + 1;
  std::memcpy(group.short_contribution(group.rank(), turn, exchange.bytes), input, exchange.bytes);
}

int SharedMemoryAlgorithm::finish(const CollectiveData& data) {
  take(data, 0, group_.meeting().meetings());
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
