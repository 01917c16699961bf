// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime/launch/ring.hpp"

#include <algorithm>

#include "codec/codec.hpp"
#include "gpu/runtime/error_text.hpp"

namespace airamp::gpu::runtime {

bool refuse(const char* reason, Error& error) {
  describe(error, "preparing a collective", reason);
  return false;
}

RowElements reduced_elements(const PeerCollective& c) {
  const std::uint64_t bytes = size_of(c.type);
  if (c.wire) return {bytes, codec::wire_row_elements(*c.wire)};
  return {bytes, codec::wire_row_bytes / bytes, c.type > DataType::float64};
}

RowElements moved_elements(const PeerCollective& c) {
  if (!c.wire) return {1, codec::wire_row_bytes, true};
  return {size_of(c.type), codec::wire_row_elements(*c.wire)};
}

std::uint32_t votes_offset(const PeerCollective& c) { return static_cast<std::uint32_t>(c.region_bytes) - votes_bytes; }

bool fill_ring(const PeerCollective& c, const RingNeeds& needs, device::Ring& ring, Error& error) {
  if (c.region_bytes < votes_bytes) return refuse("its region is too small", error);
  const RingLayout layout = ring_layout(needs, c.region_bytes - votes_bytes, c.multiprocessors);
  if (layout.channels == 0) return refuse("its region is too small", error);
  std::copy_n(c.region.begin(), c.size, ring.region);
  ring.votes_offset = votes_offset(c);
  ring.slot_bytes = layout.slot_bytes;
  ring.record_offset = layout.record_offset;
  ring.channels = layout.channels;
  ring.rounds = layout.rounds;
  ring.size = c.size;
  ring.rank = c.rank;
  return true;
}

}  // namespace airamp::gpu::runtime
