// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <ctime>
#include <new>

#include "gpu/device/arguments.hpp"
#include "gpu/runtime/call_off.hpp"
#include "gpu/runtime/ccl.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/error_text.hpp"
#include "gpu/runtime/queue_clock.hpp"

namespace airamp::gpu::runtime {
namespace {

/// How long a launch may be silent before the stream is asked, which costs about a microsecond.
constexpr std::uint64_t patience_nanoseconds = 1'000'000;

/// How a queue's stream is made.
using CreateStream = platform::Status (*)(platform::Stream& stream);

/// Of a peer queue, what its state's place holds.
struct PeerPlace {
  device::LaunchState own;
  alignas(64) device::LaunchStates all;
};
static_assert(sizeof(PeerPlace) <= launch_state_bytes);

bool upload(Queue& queue, void* to, const void* from, std::size_t bytes, Error& error) noexcept {
  return succeeded(platform::copy(to, from, bytes, queue.control), "preparing a queue", error);
}

/// Its launches' state: zeros, and the number that they are counted from.
bool prepare_state(Queue& queue, const LaunchStatePlaces* places, Error& error) noexcept {
  QueueWords& words = *queue.words;
  if (places == nullptr) {
    void* state = nullptr;
    if (!succeeded(platform::allocate(&state, sizeof *queue.state), "allocating memory on the GPU", error))
      return false;
    queue.state = static_cast<device::LaunchState*>(state);
  } else {
    auto* own = reinterpret_cast<PeerPlace*>(places->of[static_cast<std::size_t>(places->rank)]);
    queue.state = &own->own;
    queue.states = &own->all;
    words.states.size = places->size;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(places->size); ++rank)
      words.states.of[rank] = &reinterpret_cast<PeerPlace*>(places->of[rank])->own;
    queue.finished = words.idle.finished = 2 * places->number;
    if (!upload(queue, &own->all, &words.states, sizeof words.states, error)) return false;
  }
  return upload(queue, queue.state, &words.idle, sizeof words.idle, error) &&
         succeeded(platform::synchronize(queue.control), "preparing a queue", error);
}

bool prepare(Queue& queue, CreateStream create_stream, const LaunchStatePlaces* places, Error& error) noexcept {
  void* words = nullptr;
  const bool ready =
      succeeded(create_stream(queue.stream), "creating a stream", error) &&
      succeeded(platform::create_stream(queue.control), "creating a stream", error) &&
      succeeded(platform::create_follower(queue.follower), "creating a stream", error) &&
      succeeded(platform::create_event(queue.ordered_after), "creating an event", error) &&
      succeeded(platform::allocate_host(&words, sizeof *queue.words), "allocating pinned host memory", error);
  if (words != nullptr)
    queue.words = new (words)
        QueueWords{.flag = device::launch_done, .one = 1, .number = 0, .idle = {}, .states = {}, .snapshot = {}};
  return ready && prepare_state(queue, places, error);
}

Queue* open(Device* device, CreateStream create_stream, const LaunchStatePlaces* places, Error& error) noexcept {
  auto* queue = new (std::nothrow) Queue;
  if (queue == nullptr) {
    describe(error, "opening a queue", "out of memory");
    return nullptr;
  }
  queue->device = device;
  bool ready = false;
  {
    const platform::CurrentContext current(device->context);
    ready = current.check(error) && prepare(*queue, create_stream, places, error);
  }
  if (ready) return queue;
  close_queue(queue);
  return nullptr;
}

/// The queue's launch has said that it is done.
Progress count_done(Queue& queue, Error& error) noexcept {
  if (!queue.is_counted) queue.finished += 2;
  queue.is_counted = true;
  return !queue.called_off || is_reset(queue, error) ? Progress::done : Progress::failed;
}

}  // namespace

std::uint64_t nanoseconds_now() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

Queue* open_queue(Device* device, Error& error) noexcept {
  return open(device, platform::create_stream, nullptr, error);
}

Queue* open_peer_queue(Device* device, const LaunchStatePlaces& places, Error& error) noexcept {
  return open(device, platform::create_stream, &places, error);
}

Queue* open_ghost_queue(Device* device, Error& error) noexcept {
  return open(device, platform::create_background_stream, nullptr, error);
}

void close_queue(Queue* queue) noexcept {
  {
    const platform::CurrentContext current(queue->device->context);
    if (current.is_current()) {
      // A launch that was given up may wait for a dead peer for ever: its memory stays with the process.
      // What was called off may not have begun even now.
      Error error;
      const bool finished =
          queue->words == nullptr || (queue->words->said() == device::launch_done && recover(queue, error));
      if (finished) {
        if (queue->stream != nullptr) static_cast<void>(platform::synchronize(queue->stream));
        queue->launcher.close();
        if (queue->states == nullptr) static_cast<void>(platform::free(queue->state));
        static_cast<void>(platform::free_host(queue->words));
      }
      for (const platform::Stream stream : {queue->stream, queue->control, queue->follower})
        if (stream != nullptr) static_cast<void>(platform::destroy_stream(stream));
      if (queue->ordered_after != nullptr) static_cast<void>(platform::destroy_event(queue->ordered_after));
    }
  }
  delete queue;
}

bool order(Queue* queue, Error& error) noexcept {
  const platform::CurrentContext current(queue->device->context, true);
  queue->ordered = current.check(error) &&
                   succeeded(platform::order_after_default_stream(queue->stream, queue->follower, queue->ordered_after),
                             "waiting for the application's default stream", error);
  return queue->ordered;
}

bool order_if_nobody_has(Queue* queue, Error& error) noexcept { return queue->ordered || order(queue, error); }

bool copy(Queue* queue, void* to, const void* from, std::size_t bytes, Error& error) noexcept {
  const platform::CurrentContext current(queue->device->context);
  if (!current.check(error) || !order_if_nobody_has(queue, error)) return false;
  queue->ordered = false;
  return succeeded(platform::copy(to, from, bytes, queue->stream), "copying", error) &&
         succeeded(platform::synchronize(queue->stream), "copying", error);
}

bool copy_rows(Queue* queue, void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
               Error& error) noexcept {
  const platform::CurrentContext current(queue->device->context);
  if (!current.check(error) || !order_if_nobody_has(queue, error)) return false;
  queue->ordered = false;
  return succeeded(platform::copy_rows(to, from, bytes, stride, rows, queue->stream), "copying", error) &&
         succeeded(platform::synchronize(queue->stream), "copying", error);
}

Progress progress(Queue* queue, Error& error) noexcept {
  const std::uint32_t said = queue->words->said();
  if (said == device::launch_done) return count_done(*queue, error);
  if (said == device::launch_left) return Progress::left;
  if (queue->dismissed) return has_left(*queue, error);
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
  if (queue->words->said() == device::launch_done) return count_done(*queue, error);
  describe(error, "running a collective on the GPU", "the kernel ended without saying so");
  return Progress::failed;
}

}  // namespace airamp::gpu::runtime
