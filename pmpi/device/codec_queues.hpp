// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "gpu/backend.hpp"
#include "pmpi/device/gpu_device.hpp"

namespace airamp::pmpi {

/// Some queues of a GPU, taken in turns, so that several launches are on their way at a time.
class QueueRing {
 public:
  explicit QueueRing(GpuDevice& device) : device_(device) {}
  ~QueueRing();
  QueueRing(const QueueRing&) = delete;
  QueueRing& operator=(const QueueRing&) = delete;

  bool open(gpu::Error& error);

  /// The next queue, after its launch, the oldest of all, has ended; nullptr if that failed.
  gpu::Queue* next(gpu::Error& error);

  /// Waits for all launches; false if one failed.
  bool wait(gpu::Error& error);

 private:
  static constexpr std::size_t count = 4;
  bool wait_for(gpu::Queue* queue, gpu::Error& error) const;

  GpuDevice& device_;
  std::array<gpu::Queue*, count> queues_{};
  std::size_t next_ = 0;
};

/// What the codecs on the GPU need on one communicator, whatever the signature. Used by one thread at a time.
class CodecQueues {
 public:
  /// Local; nullptr, with a warning, if the GPU of `location` gives none. Loads what compresses to `format`. Throws
  /// std::bad_alloc.
  static std::unique_ptr<CodecQueues> open(const gpu::Location& location, WireFormat format);
  explicit CodecQueues(GpuDevice& device) : device_(device), encoding_(device), decoding_(device) {}

  GpuDevice& device() const { return device_; }
  QueueRing& encoding() { return encoding_; }
  QueueRing& decoding() { return decoding_; }

  /// Whether anything has failed on this GPU: no more is asked of it then.
  bool failed() const { return failed_; }
  void fail(const gpu::Error& error);

 private:
  GpuDevice& device_;
  QueueRing encoding_;
  QueueRing decoding_;
  bool failed_ = false;
};

}  // namespace airamp::pmpi
