// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/process_evidence.hpp"

#include <array>
#include <charconv>

#include "base/file_start.hpp"

namespace airamp::telemetry {
namespace {

/// What follows `key` at the start of a line, up to the line's end; empty without such a line.
std::string_view line_after(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(key)) return line.substr(key.size());
    text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
  }
  return {};
}

std::uint64_t kibibytes_after(std::string_view text, std::string_view key) {
  std::string_view value = line_after(text, key);
  while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
  std::uint64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number * 1024;
}

/// The first bytes of a file of a process.
template <std::size_t Size>
std::array<char, Size> read_of(std::uint64_t process, const char* file) {
  return base::read_start<Size>(("/proc/" + std::to_string(process) + "/" + file).c_str());
}

/// cgroups(7): the freezer of version 1 holds a task in this function of the kernel, that of version 2 says so in the
/// cgroup's own files.
bool is_frozen(std::uint64_t process) {
  const auto waits_in = read_of<64>(process, "wchan");
  if (std::string_view(waits_in.data()) == "__refrigerator") return true;
  const auto text = read_of<4096>(process, "cgroup");
  const std::string_view group = parse_cgroup(text.data());
  if (group.empty()) return false;
  // systemd(1) mounts version 2 at the second one where both versions are in use.
  for (const char* mounted : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    const auto events = base::read_start<256>((mounted + std::string(group) + "/cgroup.events").c_str());
    if (line_after(events.data(), "frozen ") == "1") return true;
  }
  return false;
}

}  // namespace

ProcessMemory parse_memory(std::string_view status) {
  return {.resident = kibibytes_after(status, "VmRSS:"), .swapped = kibibytes_after(status, "VmSwap:")};
}

std::string_view parse_cgroup(std::string_view text) { return line_after(text, "0::"); }

void look_at_processes(std::vector<RankSnapshot>& ranks) {
  for (RankSnapshot& rank : ranks) {
    if (!rank.runs()) continue;
    const auto status = read_of<4096>(rank.process, "status");
    const ProcessMemory memory = parse_memory(status.data());
    rank.resident_bytes = memory.resident;
    rank.swapped_bytes = memory.swapped;
    rank.frozen = is_frozen(rank.process);
  }
}

}  // namespace airamp::telemetry
