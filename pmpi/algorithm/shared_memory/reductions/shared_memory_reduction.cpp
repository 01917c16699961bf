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

void SharedMemoryReduction::reduce_whole(const SummationTree& order, std::size_t elements, std::size_t turn,
                                         std::byte* result) {
  constexpr std::size_t most_bytes = 1023;  // longer ones want longer blocks
  const std::size_t bytes = elements * element_bytes();
  const bool is_beside_words = bytes <= HostMeeting::max_data_bytes;
  if (const ShortReduction strided = strided_reduction_in(order);
      strided != nullptr && !is_beside_words && bytes <= most_bytes) {
    return strided(order, group_.contribution(0, turn), group_.contribution_stride(), elements, result);
  }
  reduce_in(
      order, elements, [&](int rank) { return group_.short_contribution(rank, turn, bytes); }, result);
}

bool SharedMemoryReduction::take_whole_briefly(const BriefExchange& exchange, const void* /*input*/, void* output) {
  auto& own = *static_cast<SharedMemoryReduction*>(exchange.algorithm);
  own.reduce_whole(*exchange.order, exchange.elements, exchange.meeting->meetings(), static_cast<std::byte*>(output));
  return true;
}

}  // namespace airamp::pmpi
