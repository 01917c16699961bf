// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/clean_dead_segments.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/file_descriptor.hpp"
#include "base/owned_entry.hpp"
#include "telemetry/segment/folder_entries.hpp"
#include "telemetry/segment/segment_file.hpp"
#include "telemetry/segment/segment_image.hpp"
#include "telemetry/segment/segment_owner.hpp"
#include "telemetry/segment/tick_clock.hpp"

namespace airamp::telemetry {
namespace {

using base::FileDescriptor;

constexpr std::uint64_t second_ns = 1'000'000'000;

std::uint64_t modified_ns(const struct stat& status) {
  return static_cast<std::uint64_t>(status.st_mtim.tv_sec) * second_ns +
         static_cast<std::uint64_t>(status.st_mtim.tv_nsec);
}

bool older_than(std::uint64_t then_ns, std::uint64_t age_ns) {
  const std::uint64_t now = clock_ns(CLOCK_REALTIME);
  return now > then_ns && now - then_ns >= age_ns;
}

/// Whether the time has come for a dead process's segment that was not finalized. When it died is not known, so the
/// file's time of modification, until then that of its making, is set to when it was first seen dead.
bool dead_for_long(int file, const struct stat& status, const layout::Header& header, std::uint64_t grace) {
  const std::uint64_t modified = modified_ns(status);
  const std::uint64_t made = header.opened.realtime_ns;
  if (grace > 0 && modified <= made + second_ns) {
    futimens(file, nullptr);
    return false;
  }
  return older_than(modified, grace);
}

/// What a look at a file of a job said.
struct Verdict {
  bool remove = false;
  std::uint64_t dead_since_start_ns = 0;  ///< when a segment was made that stays although its process is dead, else 0
};

Verdict judge(int file, const ProcessSpace& own, const GraceTimes& grace) {
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  layout::Header header;
  if (!read_header(file, header).empty()) {
    // Of another version only the start is known: whether its process runs is not.
    const bool may_run = header.magic == layout::magic && header.version != layout::version &&
                         (own.boot.empty() || header.boot.equals(own.boot));
    return {.remove = !may_run && older_than(modified_ns(status), grace.dead_ns)};
  }
  const SegmentOwner owner = owner_of(header, own);
  if (!owner.observable) {
    return {.remove = !header.boot.equals(own.boot) && older_than(modified_ns(status), grace.dead_ns)};
  }
  if (owner.alive) return {};
  if (header.finalized != 0) return {.remove = older_than(header.finalized_ns, grace.finalized_ns)};
  if (dead_for_long(file, status, header, grace.dead_ns)) return {.remove = true};
  return {.dead_since_start_ns = header.opened.realtime_ns};
}

/// A job's folder after it was cleaned.
struct CleanedJob {
  std::string name;
  std::size_t removed = 0;
  std::uint64_t dead_since_start_ns = 0;  ///< the latest of its segments'; 0: has none that is dead
};

CleanedJob clean_job(int parent, const std::string& name, uid_t user, const ProcessSpace& own,
                     const GraceTimes& grace) {
  CleanedJob result{.name = name};
  const FileDescriptor job(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!job.valid() || !base::why_not_trusted(job.get(), user).empty()) return result;
  for (const std::string& file_name : folder_entries(job.get())) {
    if (!rank_of_name(file_name)) continue;
    const FileDescriptor file(openat(job.get(), file_name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.valid()) continue;
    const Verdict verdict = judge(file.get(), own, grace);
    result.dead_since_start_ns = std::max(result.dead_since_start_ns, verdict.dead_since_start_ns);
    if (verdict.remove && unlinkat(job.get(), file_name.c_str(), 0) == 0) ++result.removed;
  }
  // Fails while there is a file in it. A writer whose new folder goes away before its file is made makes another.
  unlinkat(parent, name.c_str(), AT_REMOVEDIR);
  return result;
}

}  // namespace

std::size_t clean_dead_segments(const std::string& folder, uid_t user, const GraceTimes& grace) {
  const FileDescriptor parent(open(user_folder(folder, user).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!parent.valid() || !base::why_not_trusted(parent.get(), user).empty()) return 0;
  const ProcessSpace own = own_process_space();
  std::size_t removed = 0;
  std::vector<CleanedJob> dead;
  for (const std::string& name : folder_entries(parent.get())) {
    if (name != safe_job_name(name)) continue;
    CleanedJob job = clean_job(parent.get(), name, user, own, grace);
    removed += job.removed;
    if (job.dead_since_start_ns != 0) dead.push_back(std::move(job));
  }
  // Jobs that crash one after the other must not fill the memory.
  std::sort(dead.begin(), dead.end(),
            [](const CleanedJob& a, const CleanedJob& b) { return a.dead_since_start_ns > b.dead_since_start_ns; });
  for (std::size_t i = grace.dead_jobs; i < dead.size(); ++i) {
    removed +=
        clean_job(parent.get(), dead[i].name, user, own, {.finalized_ns = grace.finalized_ns, .dead_ns = 0}).removed;
  }
  return removed;
}

}  // namespace airamp::telemetry
