// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace airamp::pmpi {

/// Bytes that can still be taken before the system stops somebody for it. Larger than any memory where nothing limits
/// them.
struct MemoryRoom {
  std::uint64_t shared;  ///< by all processes of this host, or of this process's control group or one above it
  std::uint64_t own;     ///< by this process, under its resource limits

  /// Stays to the process whatever is taken: MPICH 5 ends one in which there is no memory for a request.
  static constexpr std::uint64_t least_own = std::uint64_t{2} << 20U;

  /// Whether one of `sharers` processes may take so much, if the others do the same: half of what there is stays.
  bool affords(std::uint64_t bytes, std::uint64_t sharers) const {
    return bytes <= own / 2 && own - bytes >= least_own && bytes <= shared / 2 / (sharers > 0 ? sharers : 1);
  }
};

/// What there is now: the host's available memory, the limits of control groups (versions 1 and 2, at every level; page
/// cache that can be dropped does not count as used), RLIMIT_AS and RLIMIT_DATA. What the system does not say limits
/// nothing, but for the host's memory. `root`: in front of /proc and /sys, for tests. Reads some files: not for every
/// call. Thread-safe. Throws std::bad_alloc.
MemoryRoom memory_room(const std::string& root = "");

/// The same, with nothing shared that limits: what the resource limits of this process leave. Reads a file if there are
/// any.
MemoryRoom own_memory_room(const std::string& root = "");

}  // namespace airamp::pmpi
