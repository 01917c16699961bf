// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/segment_channel.hpp"

#include <algorithm>

namespace airamp::pmpi {
namespace {

int bytes_of(std::size_t rows) { return static_cast<int>(rows * gpu::wire_row_bytes); }

/// The first error of `each`, over the segments of a group.
template <class Each>
int for_each(const SegmentGroup& group, const Each& each) {
  for (std::size_t segment = group.begin; segment < group.end; ++segment) {
    if (const int error = each(segment); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace

int SegmentSender::prepare(const Segmentation& segmentation) {
  if (segmentation == segmentation_) return MPI_SUCCESS;
  const std::size_t segments = segmentation.segments();
  for (std::size_t i = 0; i < std::min(segments, slots_per_channel); ++i) {
    const int error = whole_[i].initialise_send(slot(i), bytes_of(segmentation.segment_rows), peer_, tag_, comm_);
    if (error != MPI_SUCCESS) return error;
  }
  if (segments > 0) {
    const std::size_t last = segments - 1;
    const int error = last_.initialise_send(slot(last), bytes_of(segmentation.size(last)), peer_, tag_, comm_);
    if (error != MPI_SUCCESS) return error;
  }
  segmentation_ = segmentation;
  return MPI_SUCCESS;
}

int SegmentSender::start(std::size_t segment) {
  return segment + 1 == segmentation_.segments() ? last_.start() : whole_[segment % slots_per_channel].start();
}

int SegmentSender::start(const SegmentGroup& group) {
  return for_each(group, [this](std::size_t segment) { return start(segment); });
}

int SegmentSender::wait_for_slot(std::size_t segment) { return whole_[segment % slots_per_channel].wait(); }

int SegmentSender::wait_for_slots(const SegmentGroup& group) {
  return for_each(group, [this](std::size_t segment) { return wait_for_slot(segment); });
}

int SegmentSender::wait_for_all() {
  for (PersistentRequest& request : whole_) {
    if (const int error = request.wait(); error != MPI_SUCCESS) return error;
  }
  return last_.wait();
}

int SegmentReceiver::begin(std::size_t segments) {
  segments_ = segments;
  if (!initialised_) {
    for (std::size_t i = 0; i < slots_per_channel; ++i) {
      const int error =
          requests_[i].initialise_receive(slots_ + i * slot_bytes_, static_cast<int>(slot_bytes_), peer_, tag_, comm_);
      if (error != MPI_SUCCESS) return error;
    }
    initialised_ = true;
  }
  const std::size_t first_segments = std::min(segments, slots_per_channel);
  for (std::size_t i = first_segments; i < slots_per_channel; ++i) {
    if (const int error = requests_[i].cancel(); error != MPI_SUCCESS) return error;
  }
  for (std::size_t i = 0; i < first_segments; ++i) {
    if (requests_[i].active()) continue;
    if (const int error = requests_[i].start(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int SegmentReceiver::post_ahead() { return begin(segments_); }

int SegmentReceiver::drop(std::size_t sent) {
  for (std::size_t segment = 0; segment < std::min(sent, segments_); ++segment) {
    if (const int error = wait(segment); error != MPI_SUCCESS) return error;
  }
  return for_each({.begin = 0, .end = slots_per_channel}, [this](std::size_t i) { return requests_[i].cancel(); });
}

int SegmentReceiver::wait(const SegmentGroup& group) {
  return for_each(group, [this](std::size_t segment) { return wait(segment); });
}

int SegmentReceiver::release(const SegmentGroup& group) {
  return for_each(group, [this](std::size_t segment) { return release(segment); });
}

int SegmentReceiver::release(std::size_t segment) {
  return segment + slots_per_channel < segments_ ? requests_[segment % slots_per_channel].start() : MPI_SUCCESS;
}

}  // namespace airamp::pmpi
