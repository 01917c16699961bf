// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/peer_algorithm.hpp"

#include <algorithm>
#include <optional>

#include "pmpi/algorithm/pattern.hpp"
#include "pmpi/call/eligibility.hpp"

namespace airamp::pmpi {
namespace {

std::optional<WireFormat> wire_of(Path path) {
  if (!is_lossy(path)) return std::nullopt;
  return job_wire_format();
}

}  // namespace

PeerAlgorithm::PeerAlgorithm(PeerGroup& group, const PeerRegion& region, Kind kind, Path path, const View& view)
    : group_(group), region_(region) {
  collective_.pattern = pattern_of(kind);
  collective_.shots = path == Path::peer_one_shot ? gpu::Shots::one : gpu::Shots::two;
  collective_.wire = wire_of(path);
  collective_.type = view.type;
  collective_.op = view.op;
}

int PeerAlgorithm::execute(const CollectiveData& data) {
  collective_.root = data.root;
  collective_.elements = data.elements;
  collective_.input = data.input;
  collective_.output = data.output;
  if (!data.blocks.empty()) {  // as offsets from the lowest block, which need not be the first
    const auto lowest = std::min_element(data.blocks.begin(), data.blocks.end(), [](const auto& a, const auto& b) {
      return std::less<>{}(a.output, b.output);
    });
    collective_.output = lowest->output;
    for (std::size_t rank = 0; rank < data.blocks.size(); ++rank) {
      const auto bytes = static_cast<std::uint64_t>(data.blocks[rank].output - lowest->output);
      collective_.blocks[rank] = {.offset = bytes / gpu::size_of(collective_.type),
                                  .elements = data.blocks[rank].elements};
    }
  }
  return group_.run(collective_, region_, data.patience_seconds, called_off_, data.meanwhile);
}

int PeerAlgorithm::execute_agreed(const CollectiveData& data, bool /*recurs*/, bool& done) {
  const int error = execute(data);
  done = !called_off_;
  return error;
}

}  // namespace airamp::pmpi
