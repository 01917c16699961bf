// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "gpu/codec.hpp"
#include "pmpi/mpi/persistent_request.hpp"

namespace airamp::pmpi {

/// Slots of a channel: so many segments may be on their way.
inline constexpr std::size_t slots_per_channel = 16;

/// Some segments, one behind the other.
struct SegmentGroup {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind the last

  bool empty() const { return begin >= end; }
};

/// How a run of wire rows is cut into messages.
struct Segmentation {
  std::size_t rows = 0;          ///< in all
  std::size_t segment_rows = 1;  ///< of every segment but the last

  std::size_t segments() const { return (rows + segment_rows - 1) / segment_rows; }
  std::size_t begin(std::size_t segment) const { return segment * segment_rows; }
  std::size_t size(std::size_t segment) const {
    return segment + 1 < segments() ? segment_rows : rows - begin(segment);
  }
  std::size_t groups(std::size_t group_segments) const { return (segments() + group_segments - 1) / group_segments; }
  /// The segments of group `index`; none behind the last group.
  SegmentGroup group(std::size_t index, std::size_t group_segments) const {
    const std::size_t first = index * group_segments;
    return {.begin = first, .end = std::min(first + group_segments, segments())};
  }
  /// Rows of a group that is not empty.
  std::size_t size(const SegmentGroup& group) const {
    return begin(group.end - 1) + size(group.end - 1) - begin(group.begin);
  }
  bool operator==(const Segmentation&) const = default;
};

/// One direction between this rank and a peer: a ring of slots_per_channel slots, where segment s has slot s modulo
/// their number: those of full segments lie one behind the other. Segments travel in order.
class SegmentChannel {
 public:
  /// `slots`: slots_per_channel times `slot_rows` wire rows.
  SegmentChannel(std::byte* slots, std::size_t slot_rows, int peer, int tag, MPI_Comm comm)
      : slots_(slots), slot_bytes_(slot_rows * gpu::wire_row_bytes), peer_(peer), tag_(tag), comm_(comm) {}

  std::byte* slot(std::size_t segment) const { return slots_ + segment % slots_per_channel * slot_bytes_; }

 protected:
  std::byte* slots_;
  std::size_t slot_bytes_;
  int peer_;
  int tag_;
  MPI_Comm comm_;
};

/// Sends segments 0, 1, 2, ... to one peer; senders to several peers may share their slots. The requests are
/// persistent; they are made anew only when the segmentation changes. All functions return MPI error codes.
class SegmentSender : public SegmentChannel {
 public:
  using SegmentChannel::SegmentChannel;

  int prepare(const Segmentation& segmentation);
  int start(std::size_t segment);
  int start(const SegmentGroup& group);
  /// Waits until the slot of `segment` is free: until the segment slots_per_channel before it has left.
  int wait_for_slot(std::size_t segment);
  int wait_for_slots(const SegmentGroup& group);
  int wait_for_all();

 private:
  Segmentation segmentation_;
  std::array<PersistentRequest, slots_per_channel> whole_;
  PersistentRequest last_;  ///< the last segment may be shorter
};

/// Receives the segments that a SegmentSender sends. All functions return MPI error codes.
class SegmentReceiver : public SegmentChannel {
 public:
  using SegmentChannel::SegmentChannel;

  /// Posts the receives of the first segments, as far as `post_ahead` has not.
  int begin(std::size_t segments);
  /// After a call: posts the receives of a next one of the same length. If that comes with fewer segments, or never,
  /// they wait unharmed until `begin` or the end.
  int post_ahead();
  /// Takes what a sender has sent before it heard that the call is off: the first `sent` segments; no more will come.
  int drop(std::size_t sent);
  /// Waits for the arrival of `segment`.
  int wait(std::size_t segment) { return requests_[segment % slots_per_channel].wait(); }
  int wait(const SegmentGroup& group);
  /// Gives the slot of `segment` back, once it has been read.
  int release(std::size_t segment);
  int release(const SegmentGroup& group);

 private:
  std::size_t segments_ = 0;
  bool initialised_ = false;
  std::array<PersistentRequest, slots_per_channel> requests_;
};

}  // namespace airamp::pmpi
