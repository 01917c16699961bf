// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/codec_queues.hpp"

#include <string>

#include "pmpi/device/queue_wait.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {

QueueRing::~QueueRing() {
  for (gpu::Queue* queue : queues_) {
    if (queue != nullptr) device_.close_queue(queue);
  }
}

bool QueueRing::open(gpu::Error& error) {
  for (gpu::Queue*& queue : queues_) {
    queue = device_.backend().open_queue(device_.handle(), error);
    if (queue == nullptr) return false;
  }
  return true;
}

bool QueueRing::wait_for(gpu::Queue* queue, gpu::Error& error) const {
  return pmpi::wait_for(device_.backend(), queue, error, [] { return true; }) == gpu::Progress::done;
}

gpu::Queue* QueueRing::next(gpu::Error& error) {
  gpu::Queue* queue = queues_[next_];
  next_ = (next_ + 1) % count;
  return wait_for(queue, error) ? queue : nullptr;
}

bool QueueRing::wait(gpu::Error& error) {
  bool done = true;
  for (gpu::Queue* queue : queues_) done = wait_for(queue, error) && done;
  return done;
}

std::unique_ptr<CodecQueues> CodecQueues::open(const gpu::Location& location, WireFormat format) {
  GpuDevice* device = gpu_device(location);
  if (device == nullptr) return nullptr;
  device->load_compression(format);
  auto queues = std::make_unique<CodecQueues>(*device);
  gpu::Error error;
  if (queues->encoding_.open(error) && queues->decoding_.open(error)) return queues;
  telemetry::log(config::LogLevel::warn, std::string("no GPU queues for compression: ") + error.text.data());
  return nullptr;
}

void CodecQueues::fail(const gpu::Error& error) {
  if (failed_) return;
  failed_ = true;
  telemetry::log(config::LogLevel::error, std::string("compression on the GPU failed: ") + error.text.data());
}

}  // namespace airamp::pmpi
