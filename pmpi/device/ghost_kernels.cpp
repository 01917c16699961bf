// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/ghost_kernels.hpp"

#include <sys/prctl.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <new>
#include <string>
#include <system_error>

#include "pmpi/device/ghost_policy.hpp"
#include "pmpi/job/publisher.hpp"
#include "telemetry/log.hpp"
#include "telemetry/segment/tick_clock.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {
namespace {

/// Linux delays the end of a sleep by up to 50 us, as much as the interval, unless a thread asks for less.
constexpr unsigned long timer_slack_ns = 1000;

void sleep_until(std::int64_t time_ns) {
  const timespec time{.tv_sec = static_cast<time_t>(time_ns / 1'000'000'000),
                      .tv_nsec = static_cast<long>(time_ns % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

void warn(const std::string& why) { telemetry::log(config::LogLevel::warn, "there are no ghost kernels: " + why); }

}  // namespace

GhostKernels::Target& GhostKernels::target_of(GpuDevice& device) {
  for (Target& target : targets_) {
    if (&target.device == &device) return target;
  }
  Target& target = targets_.emplace_back(device);
  // not in the thread: it allocates memory, which may take a lock of the driver's for long
  target.queue = device.backend().open_ghost_queue(device.handle(), target.error);
  target.failed = target.queue == nullptr;
  return target;
}

bool GhostKernels::start_thread() {
  if (started_ || start_failed_) return started_;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  const int error = pthread_create(&thread_, nullptr, run, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  started_ = error == 0;
  start_failed_ = !started_;
  if (start_failed_) warn("no thread can be started: " + std::system_category().message(error));
  return started_;
}

void GhostKernels::open(GpuDevice& device, std::int64_t end_ns) {
  if (calls_.load() != 0) return;
  const std::lock_guard lock(mutex_);
  Target& target = target_of(device);
  if (target.failed) {
    if (!target.warned) warn(target.error.text.data());
    target.warned = true;
    return;
  }
  if (!start_thread()) return;
  target_.store(&target);
  end_ns_.store(end_ns);
  sem_post(&opened_);
}

void GhostKernels::publish() noexcept {
  const std::uint64_t launched = launched_.exchange(0);
  if (launched > 0) publisher().add(telemetry::Counter::ghost_kernel_launches, launched);
}

void GhostKernels::stop() noexcept {
  const std::lock_guard lock(mutex_);
  if (started_) {
    ending_.store(true);
    sem_post(&opened_);
    pthread_join(thread_, nullptr);
    started_ = false;
  }
  for (const Target& target : targets_) {
    if (target.queue != nullptr) target.device.close_queue(target.queue);
  }
  targets_.clear();
  publish();
}

void* GhostKernels::run(void* ghosts) noexcept {
  auto& self = *static_cast<GhostKernels*>(ghosts);
  pthread_setname_np(pthread_self(), "airamp-ghosts");
  prctl(PR_SET_TIMERSLACK, timer_slack_ns, 0UL, 0UL, 0UL);
  while (!self.ending_.load()) {
    if (sem_wait(&self.opened_) == 0) self.serve_window();
  }
  return nullptr;
}

void GhostKernels::serve_window() noexcept {
  for (;;) {
    const std::int64_t now = telemetry::monotonic_ns();
    const std::int64_t end = end_ns_.load();
    if (now >= end || ending_.load()) return;
    launch(*target_.load());
    if (now + GhostPolicy::interval_ns >= end) return;
    sleep_until(now + GhostPolicy::interval_ns);
  }
}

void GhostKernels::launch(Target& target) noexcept {
  if (target.failed.load()) return;
  const gpu::Backend& backend = target.device.backend();
  const gpu::Progress progress = backend.progress(target.queue, target.error);
  // one at a time: a device that has not come to the last one yet is awake
  if (progress == gpu::Progress::running || !may_launch(telemetry::monotonic_ns())) return;
  if (progress == gpu::Progress::failed || !backend.launch_ghost(target.queue, target.error)) {
    target.failed.store(true);
  } else {
    launched_.fetch_add(1);
  }
}

GhostKernels& ghost_kernels() noexcept {
  alignas(GhostKernels) static std::array<std::byte, sizeof(GhostKernels)> memory;
  static GhostKernels* const instance = new (memory.data()) GhostKernels;
  return *instance;
}

}  // namespace airamp::pmpi
