// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/peer/layout.hpp"

#include <algorithm>

#include "codec/codec.hpp"

namespace airamp::gpu {

RingLayout ring_layout(const RingNeeds& needs, std::size_t region_bytes, int multiprocessors) {
  constexpr std::size_t alignment = 128;
  const auto senders = static_cast<std::size_t>(std::max(needs.size - 1, 1));
  const std::size_t channel_rows = senders * static_cast<std::size_t>(needs.kinds * needs.rows);
  const std::size_t channel_bytes =
      channel_rows * (codec::wire_row_bytes + (needs.any_bits ? any_bits_record_bytes : 0));
  const auto max_channels = static_cast<std::uint64_t>(std::max(needs.warps * multiprocessors, 1));
  const std::size_t slot_bytes = region_bytes / ring_slots / alignment * alignment;
  const std::uint64_t limit = std::min<std::uint64_t>(slot_bytes / channel_bytes, max_channels);
  RingLayout layout;
  if (limit == 0) {
    layout.channels = 0;
    return layout;
  }
  layout.rounds = static_cast<std::uint32_t>((needs.tiles + limit - 1) / limit);
  if (layout.rounds != 0)
    layout.channels = static_cast<std::uint32_t>((needs.tiles + layout.rounds - 1) / layout.rounds);
  layout.record_offset = static_cast<std::uint32_t>(layout.channels * channel_rows * codec::wire_row_bytes);
  layout.slot_bytes =
      static_cast<std::uint32_t>((layout.channels * channel_bytes + alignment - 1) / alignment * alignment);
  return layout;
}

}  // namespace airamp::gpu
