// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace airamp::telemetry {

/// How long segments stay after their processes have gone.
struct GraceTimes {
  std::uint64_t finalized_ns = 60ULL * 1'000'000'000;    ///< since MPI_Finalize: for a last scrape
  std::uint64_t dead_ns = 24ULL * 3600 * 1'000'000'000;  ///< since it was first seen dead: for `airamp hang`
  std::size_t dead_jobs = 8;                             ///< so many jobs that were not finalized, the latest ones
};

/// Removes what dead processes of `user` have left in `folder`, and folders without segments. A segment of another host
/// or boot, or one that cannot be read, goes once its file has not changed for `dead_ns`; one of this boot and another
/// pid namespace or layout version stays. Returns how many files were removed. Safe beside writers, readers and other
/// cleaners. May throw std::bad_alloc.
std::size_t clean_dead_segments(const std::string& folder, uid_t user, const GraceTimes& grace = {});

}  // namespace airamp::telemetry
