// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/writer/open_segment.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <system_error>

#include "telemetry/segment/clean_dead_segments.hpp"
#include "telemetry/segment/process_identity.hpp"
#include "telemetry/segment/segment_file.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"

namespace airamp::telemetry {
namespace {

std::string own_host() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string own_user() {
  // Not getpwuid: it may ask the network, and loads libraries into the application.
  const char* name = std::getenv("USER");
  return name != nullptr && *name != '\0' ? std::string(name) : std::to_string(geteuid());
}

/// The name alone: arguments and folders are nobody else's business.
std::string own_program() {
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  const std::string_view whole(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  return std::string(whole.substr(whole.rfind('/') + 1));
}

void write_names(std::span<const std::string_view> names, auto& fields) {
  for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) fields[i].store(names[i]);
}

void write_identity(layout::Segment& segment, const std::string& job, const Identity& identity,
                    const ClockReading& opened) {
  layout::Header& header = segment.header;
  const ProcessSpace space = own_process_space();
  header.clock = tick_clock_kind();
  header.total_size = sizeof(layout::Segment);
  header.rank = identity.rank;
  header.size = identity.size;
  header.process = static_cast<std::uint64_t>(getpid());
  header.process_start = process_state(header.process).start;
  header.process_namespace = space.process_namespace;
  header.functions = static_cast<std::uint32_t>(std::min(identity.functions.size(), layout::functions));
  header.paths = static_cast<std::uint32_t>(std::min(identity.paths.size(), layout::paths));
  header.boot.store(space.boot);
  header.job.store(job);
  header.host.store(identity.host.empty() ? own_host() : identity.host);
  header.user.store(identity.user.empty() ? own_user() : identity.user);
  header.version_of_airamp.store(identity.version);
  header.mpi.store(identity.mpi);
  header.architecture.store(identity.architecture);
  header.gpu.store(identity.gpu);
  header.program.store(identity.program.empty() ? own_program() : identity.program);
  header.opened.ticks = opened.ticks;
  header.opened.monotonic_ns = opened.monotonic_ns;
  header.opened.realtime_ns = opened.realtime_ns;
  write_names(identity.functions, segment.function_names);
  write_names(identity.paths, segment.path_names);
  segment.communicator_rows[layout::other_communicators].name.store("other communicators");
  segment.communicator_rows[layout::other_communicators].use = layout::CommunicatorUse::used;
}

}  // namespace

SegmentMapping::~SegmentMapping() {
  if (segment_ != nullptr) munmap(segment_, sizeof *segment_);
}

OpenedSegment open_segment(const std::string& folder, const std::string& job, const Identity& identity) {
  OpenedSegment opened;
  opened.opened = read_clocks(tick_clock_kind());
  SegmentFile file = create_segment_file(folder, job, identity.rank, sizeof(layout::Segment));
  opened.why_not = std::move(file.why_not);
  if (!opened.why_not.empty()) return opened;
  opened.file = std::move(file.path);
  void* memory = mmap(nullptr, sizeof(layout::Segment), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor.get(), 0);
  if (memory == MAP_FAILED) {
    opened.why_not = "cannot map " + opened.file + ": " + std::generic_category().message(errno);
    unlink(opened.file.c_str());
    return opened;
  }
  opened.mapping = SegmentMapping(new (memory) layout::Segment{});
  write_identity(opened.mapping.segment(), safe_job_name(job), identity, opened.opened);
  opened.mapping.segment().header.magic.store(layout::magic, std::memory_order_release);
  if (file.first_of_its_job) clean_dead_segments(folder, geteuid());
  return opened;
}

}  // namespace airamp::telemetry
