// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/gpu_device.hpp"

#include <cstdint>
#include <limits>
#include <list>
#include <string>

#include "pmpi/job/publisher.hpp"
#include "telemetry/log.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {
namespace {

void warn(const std::string& what, const gpu::Error& error) {
  telemetry::log(config::LogLevel::warn, what + ": " + error.text.data());
}

std::mutex registry_mutex;

/// Never destroyed: exit handlers of the application may still call MPI.
std::list<GpuDevice>& registry() {
  static auto& devices = *new std::list<GpuDevice>;
  return devices;
}

/// Locations that could not be opened: no second attempt, no second warning.
std::vector<gpu::Location>& refused() {
  static auto& locations = *new std::vector<gpu::Location>;
  return locations;
}

}  // namespace

void GpuDevice::load_compression(WireFormat format) {
  const std::lock_guard lock(mutex_);
  if (compression_loaded_) return;
  compression_loaded_ = true;
  gpu::Error error;
  if (!backend_.load_compression(handle_, format, error)) warn("compression on the GPU is not prepared", error);
}

bool GpuDevice::allocate_scratch() {
  if (scratch_ != nullptr || scratch_failed_) return scratch_ != nullptr;
  gpu::Error error;
  scratch_ = backend_.allocate(handle_, scratch_bytes, exported_, error);
  if (scratch_ == nullptr) {
    scratch_failed_ = true;
    warn("no GPU scratch memory", error);
  } else {
    publisher().add(telemetry::layout::Counter::device_scratch_bytes, scratch_bytes);
  }
  return scratch_ != nullptr;
}

std::optional<std::size_t> GpuDevice::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!allocate_scratch()) return std::nullopt;
  return parts_.allocate(bytes);
}

void GpuDevice::free(std::size_t offset) {
  const std::lock_guard lock(mutex_);
  parts_.free(offset);
}

std::size_t GpuDevice::largest_part() {
  const std::lock_guard lock(mutex_);
  return allocate_scratch() ? parts_.largest() : 0;
}

std::unique_ptr<LaunchStatePlace> GpuDevice::launch_state() {
  const std::lock_guard lock(mutex_);
  if (!launch_states_ && allocate_scratch())
    launch_states_ = parts_.allocate(max_launch_states * gpu::launch_state_bytes);
  for (std::size_t index = 0; launch_states_ && index < max_launch_states; ++index) {
    if (taken_launch_states_[index]) continue;
    taken_launch_states_[index] = true;
    return std::make_unique<LaunchStatePlace>(*this, index);
  }
  return nullptr;
}

LaunchStatePlace::~LaunchStatePlace() {
  const std::lock_guard lock(device_.mutex_);
  device_.taken_launch_states_[index_] = false;
}

std::size_t LaunchStatePlace::offset() const { return *device_.launch_states_ + index_ * gpu::launch_state_bytes; }

std::byte* GpuDevice::map(const gpu::ExportedMemory& name) {
  const std::lock_guard lock(mutex_);
  for (const auto& [known, memory] : mapped_) {
    if (known.bytes == name.bytes) return memory;
  }
  gpu::Error error;
  std::byte* memory = backend_.map(handle_, name, error);
  if (memory == nullptr) {
    warn("another rank's GPU memory cannot be reached from this GPU", error);
    return nullptr;
  }
  mapped_.emplace_back(name, memory);
  return memory;
}

std::byte* GpuDevice::allocate_host(std::size_t bytes) {
  gpu::Error error;
  std::byte* memory = backend_.allocate_host(handle_, bytes, error);
  if (memory == nullptr) warn("no pinned host memory", error);
  return memory;
}

void GpuDevice::free_host(std::byte* memory) {
  if (!abandoned_) backend_.free_host(handle_, memory);
}

void GpuDevice::close_queue(gpu::Queue* queue) {
  if (!abandoned_) backend_.close_queue(queue);
}

template <class Copy>
bool GpuDevice::copy_on_queue(CopyOrder order, const Copy& copy) {
  CopyLane& lane = order == CopyOrder::at_once ? copies_at_once_ : ordered_copies_;
  const std::lock_guard lock(lane.mutex);
  gpu::Error error;
  if (lane.queue == nullptr) lane.queue = backend_.open_queue(handle_, error);
  if (lane.queue != nullptr && order == CopyOrder::at_once) backend_.leave_unordered(lane.queue);
  const bool copied = lane.queue != nullptr && copy(lane.queue, error);
  if (!copied) warn("a copy between host and GPU memory failed", error);
  return copied;
}

bool GpuDevice::copy(void* to, const void* from, std::size_t bytes, CopyOrder order) {
  if (bytes == 0) return true;
  return copy_on_queue(
      order, [&](gpu::Queue* queue, gpu::Error& error) { return backend_.copy(queue, to, from, bytes, error); });
}

bool GpuDevice::copy_rows(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
                          CopyOrder order) {
  constexpr std::size_t largest_stride = std::numeric_limits<std::int32_t>::max();  // of any GPU's copies of rows
  if (bytes == 0 || rows == 0) return true;
  if (rows == 1) return copy(to, from, bytes, order);
  if (stride > largest_stride) {
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t begin = row * stride;
      if (!copy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin, bytes, order))
        return false;
    }
    return true;
  }
  return copy_on_queue(order, [&](gpu::Queue* queue, gpu::Error& error) {
    return backend_.copy_rows(queue, to, from, bytes, stride, rows, error);
  });
}

void GpuDevice::unmap_peers() {
  const std::lock_guard lock(mutex_);
  if (abandoned_) return;
  for (const auto& [name, memory] : mapped_) backend_.unmap(handle_, memory);
  mapped_.clear();
}

void GpuDevice::release() {
  const std::lock_guard lock(mutex_);
  if (abandoned_) return;
  for (CopyLane* const lane : {&ordered_copies_, &copies_at_once_}) {
    if (lane->queue != nullptr) backend_.close_queue(lane->queue);
    lane->queue = nullptr;
  }
  if (scratch_ != nullptr) backend_.free(handle_, scratch_);
  if (handle_ != nullptr) backend_.close_device(handle_);
  scratch_ = nullptr;
  handle_ = nullptr;
}

GpuDevice* gpu_device(const gpu::Location& location) {
  const std::lock_guard lock(registry_mutex);
  for (GpuDevice& device : registry()) {
    if (device.location() == location && device.is_alive()) return &device;
  }
  for (const gpu::Location& hopeless : refused()) {
    if (hopeless == location) return nullptr;
  }
  gpu::Error error;
  const gpu::Backend* backend = gpu::backend(location.platform, error);
  gpu::Device* handle = backend != nullptr ? backend->open_device(location, error) : nullptr;
  if (handle == nullptr) {
    refused().push_back(location);
    warn("GPU buffers are left to the MPI library", error);
    return nullptr;
  }
  return &registry().emplace_back(*backend, handle, location);
}

void unmap_gpu_peers() {
  const std::lock_guard lock(registry_mutex);
  for (GpuDevice& device : registry()) device.unmap_peers();
}

void release_gpu_devices() {
  const std::lock_guard lock(registry_mutex);
  for (GpuDevice& device : registry()) device.release();
  registry().clear();
}

}  // namespace airamp::pmpi
