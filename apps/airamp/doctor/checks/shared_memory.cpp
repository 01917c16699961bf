// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/counted.hpp"
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

}  // namespace

Findings check_shared_memory(const Subject& subject) {
  const auto space = subject.system.space(folder);
  const bool closed = space && !subject.system.writable(folder);
  if (!space || closed) {
    return {{Verdict::worth_knowing,
             std::string(closed ? "this user cannot write to /dev/shm" : "there is no /dev/shm") +
                 ": memory for collectives has no path, and nobody sees what the ranks do",
             closed ? "Give /dev/shm the mode 1777." : "Have a memory file system mounted at /dev/shm."}};
  }
  const std::uint64_t for_others = shared_memory_for_others(
      space->all, shared_memory_of_messages(subject.mpi.library.version, subject.ranks.number));
  const std::uint64_t of_telemetry =
      static_cast<std::uint64_t>(subject.ranks.number) * sizeof(telemetry::layout::Segment);
  // What a job that runs has published is in use already.
  const std::uint64_t needed = for_others + (subject.job.empty() ? of_telemetry : 0);
  const std::string free = byte_size(space->free) + " of " + byte_size(space->all) + " are free: ";
  if (space->free < needed) {
    return {{Verdict::worth_knowing,
             free + "the MPI library's messages and what the ranks publish may take " + byte_size(needed) +
                 ", and a rank that finds none may be killed",
             "Make it larger: docker run --shm-size=1g, a memory volume at /dev/shm in Kubernetes, or its size in "
             "/etc/fstab. Look for files that dead jobs have left there."}};
  }
  const std::uint64_t communicators = (space->free - needed) / bytes_of_communicator;
  const std::string room =
      communicators > 0 ? "room for " + counted(communicators, "communicator", "communicators") + "; more of them"
                        : "communicators";
  return {{Verdict::good, free + room + " have memory without a path", ""}};
}

}  // namespace airamp::doctor
