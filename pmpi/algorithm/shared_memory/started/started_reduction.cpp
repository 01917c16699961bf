// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/started/started_reduction.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "pmpi/algorithm/orders/short_reduction.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

/// Of vectors of one length, in one order: in the places themselves.
class ReducedVectors final : public StartCarrier {
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

  bool wants(const StartBuffers& buffers) const noexcept override {
    const auto usable = [](const OnGpu& gpu) { return !gpu.holds || gpu.device != nullptr; };
    // what a library takes that takes GPU memory itself was not measured
    const bool is_measured = job().copies_started_gpu_buffers || !(buffers.input_on.holds || buffers.output_on.holds);
    return is_measured && usable(buffers.input_on) && usable(buffers.output_on);
  }

  bool give(const StartBuffers& buffers, std::uint64_t /*number*/, std::byte* place) noexcept override {
    if (!buffers.input_on.holds) {
      std::memcpy(place, buffers.input, buffers.bytes);
      return true;
    }
    GpuDevice* const gpu = buffers.input_on.device;
    if (gpu != nullptr && gpu->copy(place, buffers.input, buffers.bytes)) return true;
    std::memset(place, 0xff, buffers.bytes);  // NaN in floating-point numbers
    return false;
  }

  int deliver(const StartBuffers& buffers, std::uint64_t /*number*/, const StartedVectors& vectors) noexcept override {
    if (!buffers.output_on.holds) {
      take(vectors, buffers.output);
      return MPI_SUCCESS;
    }
    // in jobs with GPUs there are no longer ones here
    alignas(std::max_align_t) std::array<std::byte, StartRing::for_short.max_bytes> result;
    take(vectors, result.data());
    GpuDevice* const gpu = buffers.output_on.device;
    // natively nothing that the program has on its GPU comes before a collective's end
    const bool copied = gpu != nullptr && gpu->copy(buffers.output, result.data(), buffers.bytes, CopyOrder::at_once);
    return copied ? MPI_SUCCESS : MPI_ERR_BUFFER;
  }

 private:
  void take(const StartedVectors& vectors, std::byte* output) noexcept {
    if (short_ != nullptr) return short_(order_, vectors.first, vectors.stride, elements_, output);
    for (std::size_t rank = 0; rank < vectors_.size(); ++rank) vectors_[rank] = vectors.of(rank);
    reduce_by_tree(order_, type_, op_, vectors_.data(), elements_, scratch_.data(), output);
  }

  SummationTree order_;
  DataType type_;
  ReduceOp op_;
  std::size_t elements_;
  ShortReduction short_;  ///< nullptr: they are too long for it
  std::vector<const std::byte*> vectors_;
  std::vector<std::byte> scratch_;
};

}  // namespace

StartedReduction::StartedReduction(const Acquisition& acquisition)
    : OrderedReduction(acquisition.kind, acquisition.comm, acquisition.rank, acquisition.size, acquisition.facts),
      starts_(acquisition.resources.host.made, acquisition.resources.host.made->starts(acquisition.max_bytes)),
      op_(acquisition.facts.op) {}

int StartedReduction::execute(const CollectiveData& data) {
  if (const int error = find_order_if_it_pays(data); error != MPI_SUCCESS) return error;
  why_called_off_ = may_be_started(data) ? Reason::none : why_no_order(data);
  if (why_called_off_ != Reason::none) return MPI_SUCCESS;
  Start start;
  start.carrier = carrier_of(data);
  start.buffers = {
      .input = data.input, .output = static_cast<std::byte*>(data.output), .bytes = data.elements * element_bytes()};
  if (starts_->start(true, start)) return starts_->wait(start);
  why_called_off_ = Reason::not_together;
  return MPI_SUCCESS;
}

std::shared_ptr<StartCarrier> StartedReduction::carrier_of(const CollectiveData& data) const {
  return std::make_shared<ReducedVectors>(*known_order(data), type(), op_, data.elements);
}

}  // namespace airamp::pmpi
