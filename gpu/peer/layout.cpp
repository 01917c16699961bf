// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/peer/layout.hpp"

#include <algorithm>

#include "gpu/codec.hpp"

namespace airamp::gpu {

RingLayout ring_layout(std::uint64_t tiles, int size, int rows, int kinds, std::size_t region_bytes) {
  const std::size_t senders = static_cast<std::size_t>(std::max(size - 1, 1));
  const std::size_t channel_bytes = senders * static_cast<std::size_t>(kinds * rows) * wire_row_bytes;
  const std::uint64_t limit = std::min<std::uint64_t>(region_bytes / ring_slots / channel_bytes, most_channels);
  RingLayout layout;
  if (limit == 0) {
    layout.channels = 0;
    return layout;
  }
  layout.rounds = static_cast<std::uint32_t>((tiles + limit - 1) / limit);
  if (layout.rounds != 0) layout.channels = static_cast<std::uint32_t>((tiles + layout.rounds - 1) / layout.rounds);
  layout.slot_bytes = static_cast<std::uint32_t>(layout.channels * channel_bytes);
  return layout;
}

}  // namespace airamp::gpu
