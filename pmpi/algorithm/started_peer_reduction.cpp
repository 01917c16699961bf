// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/started_peer_reduction.hpp"

#include <cstddef>
#include <utility>

namespace airamp::pmpi {
namespace {

/// Vectors of one length. What a rank leaves in the memory of the host says whether its vector is on its GPU.
class PeerVectors final : public StartCarrier {
 public:
  PeerVectors(std::shared_ptr<PeerStarts> peers, DataType type, ReduceOp op, std::size_t elements)
      : peers_(std::move(peers)), type_(type), op_(op), elements_(elements) {}

  /// Other buffers cost copies that were not measured.
  bool wants(const StartBuffers& buffers) const noexcept override {
    GpuDevice* const own = &peers_->device();
    return buffers.input_on.device == own && buffers.output_on.device == own && own->is_alive();
  }

  bool give(const StartBuffers& buffers, std::uint64_t number, std::byte* place) noexcept override {
    const bool given = peers_->give(number, buffers);
    *place = given ? there : missing;
    return given;
  }

  int deliver(const StartBuffers& buffers, std::uint64_t number, const StartedVectors& vectors) noexcept override {
    for (std::size_t rank = 0; rank < peers_->ranks(); ++rank) {
      if (*vectors.of(rank) != there) return MPI_ERR_BUFFER;
    }
    const std::byte* const result = peers_->reduce(number, type_, op_, elements_);
    return result != nullptr && peers_->deliver(result, buffers) ? MPI_SUCCESS : MPI_ERR_BUFFER;
  }

 private:
  static constexpr std::byte there{1};
  static constexpr std::byte missing{2};

  std::shared_ptr<PeerStarts> peers_;
  DataType type_;
  ReduceOp op_;
  std::size_t elements_;
};

}  // namespace

int StartedPeerReduction::execute(const CollectiveData& data) {
  why_called_off_ = may_be_started(data) ? Reason::none : Reason::no_room_on_gpu;
  if (why_called_off_ != Reason::none) return MPI_SUCCESS;
  const OnGpu own{.holds = true, .device = &peers_->device()};
  Start start;
  start.carrier = carrier_of(data);
  start.buffers = {.input = data.input,
                   .output = static_cast<std::byte*>(data.output),
                   .bytes = data.elements * size_of(type_),
                   .input_on = own,
                   .output_on = own};
  if (peers_->starts().start(true, start)) return peers_->starts().wait(start);
  why_called_off_ = Reason::not_together;
  return MPI_SUCCESS;
}

std::shared_ptr<StartCarrier> StartedPeerReduction::carrier_of(const CollectiveData& data) const {
  return std::make_shared<PeerVectors>(peers_, type_, op_, data.elements);
}

bool may_start_over_peers(const AgreedFacts& facts) {
  return reduces(facts.kind) && facts.local.memory == Memory::device && facts.local.lossless &&
         facts.size <= gpu::max_peers && facts.max_bytes > StartRing::for_short.max_bytes &&
         facts.max_bytes <= PeerStarts::most_bytes;
}

Acquired acquire_started_peers(const Acquisition& acquisition) {
  CommunicatorResources& resources = acquisition.resources;
  const auto create = [&](MPI_Comm comm, int /*rank*/, int /*size*/, const gpu::Location& /*gpu*/) {
    return PeerStarts::create(comm, resources.peers.made);
  };
  const int error = make_once(acquisition, resources.peer_starts, create, "cannot start collectives on GPUs");
  if (error != MPI_SUCCESS) return {.error = error};
  const std::shared_ptr<PeerStarts>& made = resources.peer_starts.made;
  if (made == nullptr) return {.why_not = resources.peer_starts.why_not};
  if (acquisition.max_bytes > made->max_bytes()) return {.why_not = "the GPU scratch memory is too small for it"};
  return acquire_with_scratch(acquisition,
                              [&] { return std::make_unique<StartedPeerReduction>(made, acquisition.facts); });
}

}  // namespace airamp::pmpi
