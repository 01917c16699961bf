// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What makes AIRamp restless, in a library that is preloaded in its place: decisions are measured again after a few
// calls, and by clocks that stand still and jump, so that they change again and again.
#include <unistd.h>

#include <chrono>
#include <cstdint>

#include "mpitests/differential/random.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

constexpr tuner::ReviewWindows few_calls{.smallest = 2, .largest = 8, .in_doubt = 1};

/// The clock stands still for 2^16 to 2^22 ns, another time for every 2^26 ns: for short calls it often does not go on.
constexpr std::uint64_t shortest_stand = 16;
constexpr std::uint64_t stands = 7;
constexpr std::uint64_t epoch = 26;

/// As no other rank's.
std::uint64_t random_of(std::uint64_t value) {
  static const auto process = static_cast<std::uint64_t>(getpid()) << 40U;
  return differential::mix(process ^ value);
}

Stopwatch::Clock::time_point now() noexcept {
  const std::chrono::nanoseconds since = Stopwatch::Clock::now().time_since_epoch();
  const auto real = static_cast<std::uint64_t>(since.count());
  const std::uint64_t stand = shortest_stand + random_of(real >> epoch) % stands;
  const std::uint64_t begin = real >> stand << stand;
  // somewhere in the time for which it stands, so that it never goes back
  return Stopwatch::Clock::time_point(std::chrono::nanoseconds(begin + (random_of(begin) >> (64 - stand))));
}

[[gnu::constructor]] void begin() {
  Stopwatch::clock = &now;
  job().review_windows = few_calls;
}

}  // namespace
}  // namespace airamp::pmpi
