// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Preloaded: the wall clock goes backwards, a second for each that passes, and by half an hour every thousandth time
// that it is asked for. The monotonic clock is the system's.
#include <dlfcn.h>
#include <sys/time.h>

#include <atomic>
#include <ctime>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using ClockGetTime = int (*)(clockid_t, timespec*);

int real_clock(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockGetTime>(dlsym(RTLD_NEXT, "clock_gettime"));
  return real(clock, time);
}

int wall_clock(timespec* time) {
  static std::atomic<long> asked{0};
  static const std::time_t begin = [] {
    timespec first{};
    real_clock(CLOCK_REALTIME, &first);
    return first.tv_sec;
  }();
  const int status = real_clock(CLOCK_REALTIME, time);
  constexpr std::time_t half_an_hour = 1800;
  const long jumps = asked.fetch_add(1) / 1000;
  time->tv_sec = begin - (time->tv_sec - begin) - jumps * half_an_hour;
  time->tv_nsec = 999999999 - time->tv_nsec;
  return status;
}

}  // namespace

EXPORT int clock_gettime(clockid_t clock, timespec* time) {
  return clock == CLOCK_REALTIME ? wall_clock(time) : real_clock(clock, time);
}

EXPORT int gettimeofday(timeval* time, void* /*zone*/) {
  timespec now{};
  const int status = wall_clock(&now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return status;
}

EXPORT std::time_t time(std::time_t* result) {
  timespec now{};
  wall_clock(&now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}
