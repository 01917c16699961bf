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

void SharedMemoryReduction::reduce_piece(const SummationTree& order, const Piece& piece, std::size_t turn,
                                         std::byte* result) {
  constexpr std::size_t most_bytes = 1023;  // longer ones want longer blocks
  if (piece.elements == 0) return;
  const bool beside_words = piece.bytes <= HostMeeting::max_data_bytes;
  const bool is_strided = !beside_words && piece.elements * element_bytes() <= most_bytes;
  const std::byte* const first = group_.short_contribution(0, turn, piece.bytes) + piece.begin;
  const std::size_t stride = beside_words ? HostMeeting::data_stride : group_.contribution_stride();
  const ShortReduction reduce_short = is_strided     ? strided_reduction_in(order)
                                      : beside_words ? short_reduction_in(order, piece.elements)
                                                     : nullptr;
  if (reduce_short != nullptr) return reduce_short(order, first, stride, piece.elements, result);
  reduce_in(
      order, piece.elements, [&](int rank) { return first + static_cast<std::size_t>(rank) * stride; }, result);
}

bool SharedMemoryReduction::take_whole_briefly(const BriefExchange& exchange, const void* /*input*/, void* output) {
  auto& own = *static_cast<SharedMemoryReduction*>(exchange.algorithm);
  own.reduce_whole(*exchange.order, exchange.elements, exchange.meeting->meetings(), static_cast<std::byte*>(output));
  return true;
}

}  // namespace airamp::pmpi
