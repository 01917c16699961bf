// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "base/quantity_text.hpp"
#include "core/shared_memory_for_others.hpp"
#include "telemetry/segment/layout.hpp"

namespace airamp::doctor {
namespace {

using base::byte_size;

constexpr const char* folder = "/dev/shm";

/// Of one communicator: 8 MiB for long calls, and about 1 MiB for short ones, broadcasts and reduces
/// (docs/shared_memory.md).
constexpr std::uint64_t bytes_of_communicator = std::uint64_t{9} << 20U;
/// A code with a grid of processes has its rows and columns beside the world.
constexpr std::uint64_t communicators_of_many_codes = 4;

}  // namespace

Findings check_shared_memory(const Subject& subject) {
  const std::string larger =
      "Make it larger: docker run --shm-size=1g, a memory volume at /dev/shm in Kubernetes, or its size in /etc/fstab.";
  const auto space = subject.system.space(folder);
  if (!space) {
    return {{Verdict::wrong, "there is no /dev/shm: no collective goes through shared memory",
             "Have a memory file system mounted at /dev/shm."}};
  }
  if (!subject.system.writable(folder)) {
    return {{Verdict::wrong, "this user cannot write to /dev/shm", "Give /dev/shm the mode 1777."}};
  }
  const std::uint64_t for_others = shared_memory_for_others(
      space->all, shared_memory_of_messages(subject.mpi.library.version, subject.ranks.number));
  const std::uint64_t of_telemetry =
      static_cast<std::uint64_t>(subject.ranks.number) * sizeof(telemetry::layout::Segment);
  // What a job that runs has published is in use already.
  const std::uint64_t needed = for_others + (subject.job.empty() ? of_telemetry : 0);
  const std::uint64_t left = space->free > needed ? space->free - needed : 0;
  const std::uint64_t communicators = left / bytes_of_communicator;
  const std::string found = byte_size(space->free) + " of " + byte_size(space->all) + " are free: room for " +
                            (communicators == 0   ? "no communicator"
                             : communicators == 1 ? "one communicator"
                                                  : std::to_string(communicators) + " communicators") +
                            ", and " + byte_size(for_others) + " for others";
  if (communicators == 0) return {{Verdict::wrong, found, larger + " Look for files that dead jobs have left there."}};
  if (communicators < communicators_of_many_codes) return {{Verdict::worth_knowing, found, larger}};
  return {{Verdict::good, found, ""}};
}

}  // namespace airamp::doctor
