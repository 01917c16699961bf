// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <ctime>
#include <memory>
#include <new>

#include "gpu/device/arguments.hpp"
#include "gpu/runtime/ccl.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/error_text.hpp"
#include "gpu/runtime/queue_clock.hpp"

namespace airamp::gpu::runtime {
namespace {

/// How long a launch may be silent before the stream is asked, which costs about a microsecond.
constexpr std::uint64_t patience_nanoseconds = 1'000'000;

bool is_finished(const Queue& queue) noexcept {
  return std::atomic_ref<std::uint32_t>(*queue.flag).load(std::memory_order_acquire) == device::launch_done;
}

/// How a queue's stream is made.
using CreateStream = platform::Status (*)(platform::Stream& stream);

bool prepare(Queue& queue, CreateStream create_stream, Error& error) noexcept {
  void* counter = nullptr;
  void* flag = nullptr;
  const bool ready =
      succeeded(create_stream(queue.stream), "creating a stream", error) &&
      succeeded(platform::allocate(&counter, sizeof *queue.finished_blocks), "allocating memory on the GPU", error) &&
      succeeded(platform::allocate_host(&flag, sizeof *queue.flag), "allocating pinned host memory", error);
  queue.finished_blocks = static_cast<std::uint32_t*>(counter);
  queue.flag = static_cast<std::uint32_t*>(flag);
  if (!ready) return false;
  *queue.flag = device::launch_done;
  return succeeded(platform::fill(counter, 0, sizeof *queue.finished_blocks, queue.stream), "preparing a queue",
                   error) &&
         succeeded(platform::synchronize(queue.stream), "preparing a queue", error);
}

Queue* open(Device* device, CreateStream create_stream, Error& error) noexcept {
  auto* queue = new (std::nothrow) Queue;
  if (queue == nullptr) {
    describe(error, "opening a queue", "out of memory");
    return nullptr;
  }
  queue->device = device;
  bool ready = false;
  {
    const platform::CurrentContext current(device->context);
    ready = current.check(error) && prepare(*queue, create_stream, error);
  }
  if (ready) return queue;
  close_queue(queue);
  return nullptr;
}

}  // namespace

std::uint64_t nanoseconds_now() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

Queue* open_queue(Device* device, Error& error) noexcept { return open(device, platform::create_stream, error); }

Queue* open_ghost_queue(Device* device, Error& error) noexcept {
  return open(device, platform::create_background_stream, error);
}

void close_queue(Queue* queue) noexcept {
  {
    const platform::CurrentContext current(queue->device->context);
    if (current.is_current()) {
      // A launch that was given up may wait for a dead peer for ever: its memory stays with the process.
      const bool idle = queue->stream == nullptr || queue->flag == nullptr || is_finished(*queue);
      if (idle) {
        if (queue->stream != nullptr) static_cast<void>(platform::synchronize(queue->stream));
        queue->launcher.close();
        static_cast<void>(platform::free(queue->finished_blocks));
        static_cast<void>(platform::free_host(queue->flag));
      }
      if (queue->stream != nullptr) static_cast<void>(platform::destroy_stream(queue->stream));
    }
  }
  delete queue;
}

bool copy(Queue* queue, void* to, const void* from, std::size_t bytes, Error& error) noexcept {
  const platform::CurrentContext current(queue->device->context);
  if (!current.check(error)) return false;
  return succeeded(platform::copy(to, from, bytes, queue->stream), "copying", error) &&
         succeeded(platform::synchronize(queue->stream), "copying", error);
}

Progress progress(Queue* queue, Error& error) noexcept {
  if (is_finished(*queue)) return Progress::done;
  if (queue->ccl != nullptr) return ccl_progress(*queue, error);
  const std::uint64_t now = nanoseconds_now();
  if (now - queue->asked_nanoseconds < patience_nanoseconds) return Progress::running;
  queue->asked_nanoseconds = now;
  const platform::CurrentContext current(queue->device->context);
  if (!current.check(error)) return Progress::failed;
  const platform::Status state = platform::query(queue->stream);
  if (state == platform::not_ready) {
    platform::forget_error();
    return Progress::running;
  }
  if (!succeeded(state, "running a collective on the GPU", error)) return Progress::failed;
  if (is_finished(*queue)) return Progress::done;
  describe(error, "running a collective on the GPU", "the kernel ended without saying so");
  return Progress::failed;
}

}  // namespace airamp::gpu::runtime
