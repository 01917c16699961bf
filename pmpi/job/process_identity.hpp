// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/random.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>

namespace airamp::pmpi {

/// A number of this process's that no other has, though they may share its host's name and its process number, as in
/// containers. Thread-safe.
inline std::uint64_t process_identity() {
  static const std::uint64_t drawn = [] {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == static_cast<ssize_t>(sizeof number)) return number;
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return (static_cast<std::uint64_t>(now) << 20U) ^ static_cast<std::uint64_t>(getpid());
  }();
  return drawn;
}

}  // namespace airamp::pmpi
