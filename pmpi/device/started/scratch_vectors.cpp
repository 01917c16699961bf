// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/started/scratch_vectors.hpp"

#include <optional>
#include <vector>

namespace airamp::pmpi {

std::unique_ptr<ScratchVectors> ScratchVectors::make(GpuDevice& device, std::size_t bytes) {
  constexpr std::size_t granularity = OffsetAllocator::granularity;
  const std::size_t stride = (bytes + granularity - 1) / granularity * granularity;
  const std::optional<std::size_t> offset = device.allocate(2 * stride);
  if (!offset) return nullptr;
  return std::unique_ptr<ScratchVectors>(new ScratchVectors(device, *offset, stride));
}

ScratchVectors::~ScratchVectors() {
  const std::vector<std::byte> holes(2 * stride_, std::byte{0xff});
  if (!device_.is_alive() || device_.copy(input(), holes.data(), holes.size(), CopyOrder::at_once)) {
    device_.free(offset_);
  }
}

}  // namespace airamp::pmpi
