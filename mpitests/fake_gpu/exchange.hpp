// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "gpu/peer/collective.hpp"

namespace airamp::fake_gpu {

/// All ranks send something to each other in rounds, through the regions of one collective. A region has a page of
/// counters, then a slot for every peer. Counters are kept inverted: bytes 0xff are zero. Ends the process if the
/// regions turn out to be in use by somebody else.
class Exchange {
 public:
  explicit Exchange(const gpu::PeerCollective& collective);

  /// Bytes of a slot, a multiple of 512; 0 if the region is too small.
  std::size_t slot_bytes() const { return slot_bytes_; }

  /// Whether `peer` has taken everything that was sent to it.
  bool may_send(int peer) const;
  /// Where to write what `peer` is to get; then to be sent.
  std::byte* outgoing(int peer) const;
  void send(int peer);

  /// Whether what `peer` sent in this round is there, and where.
  bool arrived(int peer) const;
  const std::byte* incoming(int peer) const;

  /// Lets everybody send for the next round.
  void end_round();

  /// Whether nobody will touch our region any more.
  bool quiet() const;
  /// Then: makes all bytes 0xff again; of each slot `used` bytes were written at most.
  void erase(std::size_t used) const;

 private:
  struct Line;
  Line& line(int owner, int writer) const;

  const gpu::PeerCollective& collective_;
  std::size_t slot_bytes_;
  std::uint64_t round_ = 0;
};

}  // namespace airamp::fake_gpu
