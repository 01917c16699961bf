// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace airamp::telemetry {

/// How long a segment stays after its process has gone, nanoseconds.
struct GraceTimes {
  std::uint64_t finalized_ns = 60ULL * 1'000'000'000;    ///< since MPI_Finalize: for a last scrape
  std::uint64_t dead_ns = 24ULL * 3600 * 1'000'000'000;  ///< since it was first seen dead: for `airamp hang`
};

/// Removes what dead processes of `user` have left in `folder`, and folders without segments. A segment of another
/// host, boot or pid namespace, or of another layout, goes after `dead_ns` without a change of its file if it is
/// another boot's or not readable, and stays otherwise. Returns how many files were removed. Safe beside writers,
/// readers and other cleaners. May throw std::bad_alloc.
std::size_t clean_dead_segments(const std::string& folder, uid_t user, const GraceTimes& grace = {});

}  // namespace airamp::telemetry
