// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/memory_room.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/find_line.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number behind `name` in a file of lines "name number"; with the unit that is said there, none or kB.
std::optional<std::uint64_t> number_in(const std::string& file, std::string_view name) {
  std::uint64_t number = 0;
  bool kibibytes = false;
  const bool found = base::find_line(file.c_str(), [&](std::string_view line) {
    if (!line.starts_with(name)) return false;
    line.remove_prefix(name.size());
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == 0 && !name.empty()) return false;  // a longer name
    if (begin == std::string_view::npos) return false;
    line.remove_prefix(begin);
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    kibibytes = std::string_view(rest, static_cast<std::size_t>(line.data() + line.size() - rest)).starts_with(" kB");
    return error == std::errc();  // not so where it says "max"
  });
  return found ? std::optional(kibibytes ? number * 1024 : number) : std::nullopt;
}

std::uint64_t left(std::uint64_t limit, std::uint64_t used) { return limit > used ? limit - used : 0; }

/// One hierarchy of control groups that limits memory: how its files are called.
struct Hierarchy {
  std::vector<std::string_view> limits;
  std::string_view usage;
  std::vector<std::string_view> droppable;  ///< page cache, in memory.stat
};
const Hierarchy version_1{.limits = {"memory.limit_in_bytes"},
                          .usage = "memory.usage_in_bytes",
                          .droppable = {"total_inactive_file", "total_active_file"}};
const Hierarchy version_2{
    .limits = {"memory.max", "memory.high"}, .usage = "memory.current", .droppable = {"inactive_file", "active_file"}};

/// What one control group has left. Thread-safe.
std::uint64_t left_in_group(const std::string& folder, const Hierarchy& names) {
  const auto file = [&](std::string_view name) { return folder + '/' + std::string(name); };
  std::uint64_t limit = unlimited;
  for (const std::string_view name : names.limits) {
    limit = std::min(limit, number_in(file(name), "").value_or(unlimited));
  }
  if (limit == unlimited) return unlimited;
  std::uint64_t used = number_in(file(names.usage), "").value_or(0);
  for (const std::string_view name : names.droppable) {
    used = left(used, number_in(file("memory.stat"), name).value_or(0));
  }
  return left(limit, used);
}

/// The words of a line.
std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> found;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \n"), line.size()));
    if (line.empty()) return found;
    const std::size_t end = std::min(line.find_first_of(" \n"), line.size());
    found.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

/// Of a list separated by commas.
bool lists_memory(std::string_view list) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == "memory") return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

/// Where this process's group of a hierarchy is: the mount point, and the path of the group under it.
struct Place {
  std::string mount;
  std::string path;
};

/// Of a mounted hierarchy, where it is mounted and which group of it is the mount's root.
std::optional<Place> find_mount(const std::string& root, bool second) {
  std::optional<Place> place;
  base::find_line((root + "/proc/self/mountinfo").c_str(), [&](const char* line) {
    const std::vector<std::string_view> fields = words(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 5 || fields.end() - dash < 4) return false;
    const bool wanted = second ? dash[1] == "cgroup2" : dash[1] == "cgroup" && lists_memory(dash[3]);
    if (wanted) place = {.mount = std::string(fields[4]), .path = std::string(fields[3])};
    return wanted;
  });
  return place;
}

/// This process's group, as /proc/self/cgroup says.
std::optional<std::string> find_group(const std::string& root, bool second) {
  std::optional<std::string> group;
  base::find_line((root + "/proc/self/cgroup").c_str(), [&](std::string_view line) {
    const std::size_t first = line.find(':');
    const std::size_t next = line.find(':', first + 1);
    if (first == line.npos || next == line.npos) return false;
    const std::string_view controllers = line.substr(first + 1, next - first - 1);
    if (second ? line.substr(0, first) != "0" : !lists_memory(controllers)) return false;
    line.remove_prefix(next + 1);
    group = line.substr(0, line.find('\n'));
    return true;
  });
  return group;
}

/// The least that is left in this process's group and those above it.
std::uint64_t left_in_groups(const std::string& root, bool second) {
  const std::optional<Place> mount = find_mount(root, second);
  std::optional<std::string> group = find_group(root, second);
  if (!mount || !group) return unlimited;
  // in a container the mount begins at the container's own group, and the path may, or may not, begin there as well
  if (mount->path != "/" && group->starts_with(mount->path)) group->erase(0, mount->path.size());
  if (group->find("..") != std::string::npos) group->clear();  // outside of what is mounted here
  std::uint64_t least = unlimited;
  while (true) {
    while (group->ends_with('/')) group->pop_back();
    least = std::min(least, left_in_group(root + mount->mount + *group, second ? version_2 : version_1));
    if (group->empty()) return least;
    group->erase(group->rfind('/') == std::string::npos ? 0 : group->rfind('/'));
  }
}

std::uint64_t left_of_resource(int resource, const std::string& root, std::string_view used) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return unlimited;
  }
  return left(limit.rlim_cur, number_in(root + "/proc/self/status", used).value_or(0));
}

}  // namespace

MemoryRoom own_memory_room(const std::string& root) {
  return {
      .shared = unlimited,
      .own = std::min(left_of_resource(RLIMIT_AS, root, "VmSize:"), left_of_resource(RLIMIT_DATA, root, "VmData:"))};
}

MemoryRoom memory_room(const std::string& root) {
  MemoryRoom room = own_memory_room(root);
  const std::uint64_t host = number_in(root + "/proc/meminfo", "MemAvailable:").value_or(0);
  room.shared = std::min({host, left_in_groups(root, true), left_in_groups(root, false)});
  return room;
}

}  // namespace airamp::pmpi
