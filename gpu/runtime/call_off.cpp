// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The host's side of gpu/device/start_gate.hpp.
#include "gpu/runtime/call_off.hpp"

#include <cstddef>

#include "gpu/device/arguments.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/error_text.hpp"
#include "gpu/runtime/queue_clock.hpp"

namespace airamp::gpu::runtime {
namespace {

constexpr const char* attempted = "calling a launch off";

/// The blocks' answers before their count: a copy is not made at one time, and a block is counted before it answers.
bool take_snapshot(Queue& queue, Error& error) noexcept {
  device::LaunchState& to = queue.words->snapshot;
  return succeeded(platform::copy(&to, queue.state, sizeof to, queue.control), attempted, error) &&
         succeeded(platform::copy(&to.begun, &queue.state->begun, 2 * sizeof to.begun, queue.control), attempted,
                   error);
}

bool set(Queue& queue, std::uint32_t& word, const std::uint32_t& value, Error& error) noexcept {
  return succeeded(platform::copy(&word, &value, sizeof word, queue.control), attempted, error);
}

bool wait(Queue& queue, Error& error) noexcept {
  return succeeded(platform::synchronize(queue.control), attempted, error);
}

bool is_over(const Queue& queue) noexcept { return queue.words->said() == device::launch_done; }

/// After a call-off: waits until every block that has been counted has said whether it was before that.
bool settle(Queue& queue, Error& error) noexcept {
  constexpr std::uint64_t longest_nanoseconds = 2'000'000'000;  // of another process on the same GPU
  const std::uint64_t began = nanoseconds_now();
  const device::LaunchState& seen = queue.words->snapshot;
  while (seen.begun != seen.accepted + seen.refused && !is_over(queue)) {
    if (nanoseconds_now() - began > longest_nanoseconds) {
      describe(error, attempted, "its blocks do not answer");
      return false;
    }
    if (!take_snapshot(queue, error) || !wait(queue, error)) return false;
  }
  queue.begun = seen.accepted;
  return true;
}

/// Stores to the launch's state in one go.
bool tell(Queue& queue, bool leave, Error& error) noexcept {
  const platform::CurrentContext current(queue.device->context);
  if (!current.check(error)) return false;
  const bool first = !queue.called_off;
  if (first && !(set(queue, queue.state->called_off, queue.words->number, error) && take_snapshot(queue, error)))
    return false;
  if (leave && !set(queue, queue.state->leave, queue.words->one, error)) return false;
  if (!wait(queue, error)) return false;
  if (first && !settle(queue, error)) return false;
  queue.called_off = true;
  queue.dismissed = queue.dismissed || leave;
  return true;
}

/// All of the launch's state but the number of those that were done.
bool reset(Queue& queue, Error& error) noexcept {
  if (!succeeded(
          platform::copy(queue.state, &queue.words->idle, offsetof(device::LaunchState, finished), queue.control),
          attempted, error) ||
      !wait(queue, error))
    return false;
  queue.words->say(device::launch_done);
  queue.called_off = queue.dismissed = false;
  queue.is_counted = true;
  return true;
}

}  // namespace

bool call_off(Queue* queue, bool& runs, Error& error) noexcept {
  {
    const platform::CurrentContext current(queue->device->context);
    if (!current.check(error) || !take_snapshot(*queue, error) || !wait(*queue, error)) return false;
  }
  const device::LaunchState& seen = queue->words->snapshot;
  runs = (seen.begun == queue->blocks && seen.called_off != queue->words->number) || is_over(*queue);
  if (runs) return true;
  if (!tell(*queue, false, error)) return false;
  // A launch that was done before has set its count back.
  runs = queue->begun == queue->blocks || is_over(*queue);
  return true;
}

bool dismiss(Queue* queue, Error& error) noexcept { return tell(*queue, true, error); }

Progress has_left(Queue& queue, Error& error) noexcept {
  if (queue.words->said() == device::launch_left || queue.begun == 0) return Progress::left;
  if (queue.begun == queue.blocks) return Progress::running;  // the last block will say so
  const platform::CurrentContext current(queue.device->context);
  if (!current.check(error) || !take_snapshot(queue, error) || !wait(queue, error)) return Progress::failed;
  return (queue.words->snapshot.ended & 0xffffu) == queue.begun ? Progress::left : Progress::running;
}

bool recover(Queue* queue, Error& error) noexcept {
  if (!queue->called_off) return true;
  const platform::CurrentContext current(queue->device->context);
  if (!current.check(error)) return false;
  const platform::Status state = platform::query(queue->stream);
  if (state == platform::not_ready) {
    platform::forget_error();
    return false;
  }
  return succeeded(state, attempted, error) && reset(*queue, error);
}

bool is_reset(Queue& queue, Error& error) noexcept {
  const platform::CurrentContext current(queue.device->context);
  return current.check(error) && succeeded(platform::synchronize(queue.stream), attempted, error) &&
         reset(queue, error);
}

bool erase(Queue* queue, std::byte* memory, std::size_t bytes, Error& error) noexcept {
  const platform::CurrentContext current(queue->device->context);
  return current.check(error) && fill_with_holes(memory, bytes, queue->control, error);
}

}  // namespace airamp::gpu::runtime
