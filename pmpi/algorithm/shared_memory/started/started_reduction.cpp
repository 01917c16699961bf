// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/started/started_reduction.hpp"

#include <cstddef>
#include <vector>

#include "pmpi/algorithm/orders/short_reduction.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {
namespace {

/// Of vectors of one length, in one order.
class ReducedVectors final : public StartResult {
 public:
  ReducedVectors(const SummationTree& order, DataType type, ReduceOp op, std::size_t elements)
      : order_(order),
        type_(type),
        op_(op),
        elements_(elements),
        short_(elements * size_of(type) <= max_short_bytes && order.places() <= max_short_places
                   ? short_reduction(type, op)
                   : nullptr),
        vectors_(static_cast<std::size_t>(order.ranks())),
        scratch_(scratch_bytes(order)) {}

  void take(const std::byte* vectors, std::byte* output) noexcept override {
    if (short_ != nullptr) return short_(order_, vectors, StartRing::stride, elements_, output);
    for (std::size_t rank = 0; rank < vectors_.size(); ++rank) vectors_[rank] = vectors + rank * StartRing::stride;
    reduce_by_tree(order_, type_, op_, vectors_.data(), elements_, scratch_.data(), output);
  }

 private:
  SummationTree order_;
  DataType type_;
  ReduceOp op_;
  std::size_t elements_;
  ShortReduction short_;  ///< nullptr: they are too long for it
  std::vector<const std::byte*> vectors_;
  std::vector<std::byte> scratch_;
};

}  // namespace

StartedReduction::StartedReduction(const CommunicatorResources& resources, MPI_Comm comm, Kind kind,
                                   const LocalFacts& facts)
    : OrderedReduction(kind, comm, resources.host.made->rank(), resources.host.made->size(), facts),
      starts_(*resources.host.made->starts()),
      op_(facts.op) {}

int StartedReduction::execute(const CollectiveData& data) {
  if (const int error = find_order_if_it_pays(data); error != MPI_SUCCESS) return error;
  why_called_off_ = may_be_started(data) ? Reason::none : why_no_order(data);
  if (why_called_off_ != Reason::none) return MPI_SUCCESS;
  Start start;
  start.result = result_of(data);
  start.output = {.memory = static_cast<std::byte*>(data.output), .bytes = data.elements * element_bytes()};
  if (starts_.start(true, data.input, start)) return starts_.wait(start);
  why_called_off_ = Reason::not_together;
  return MPI_SUCCESS;
}

std::shared_ptr<StartResult> StartedReduction::result_of(const CollectiveData& data) const {
  return std::make_shared<ReducedVectors>(*known_order(data), type(), op_, data.elements);
}

}  // namespace airamp::pmpi
