// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/control_group.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace airamp::doctor {
namespace {

/// What version 1 writes for no limit of memory: the largest number of pages.
constexpr std::int64_t no_limit = std::int64_t{1} << 60U;

template <typename Number>
void lower(std::optional<Number>& limit, Number value) {
  limit = limit ? std::min(*limit, value) : value;
}

/// cpu.max: "QUOTA PERIOD", or "max PERIOD", in microseconds.
void read_version_2(const System& system, const std::string& folder, GroupLimits& limits) {
  std::istringstream cpu(system.text(folder + "/cpu.max").value_or(""));
  double quota = 0;
  double period = 0;
  if (cpu >> quota >> period && period > 0) lower(limits.processors, quota / period);
  for (const char* name : {"/memory.max", "/memory.high"}) {
    const auto bytes = system.number(folder + name);
    if (bytes) lower(limits.memory, static_cast<std::uint64_t>(*bytes));
  }
}

void read_version_1_cpu(const System& system, const std::string& folder, GroupLimits& limits) {
  const auto quota = system.number(folder + "/cpu.cfs_quota_us");
  const auto period = system.number(folder + "/cpu.cfs_period_us");
  if (quota && period && *quota > 0 && *period > 0) {
    lower(limits.processors, static_cast<double>(*quota) / static_cast<double>(*period));
  }
}

void read_version_1_memory(const System& system, const std::string& folder, GroupLimits& limits) {
  const auto bytes = system.number(folder + "/memory.limit_in_bytes");
  if (bytes && *bytes < no_limit) lower(limits.memory, static_cast<std::uint64_t>(*bytes));
}

/// Reads the group of this path and all above it. In a container the path is often the host's: then only the folder of
/// the mount itself, which is the container's own group, is there.
template <typename Read>
void read_upwards(const std::string& mount, std::string path, Read&& read) {
  for (; path.size() > 1; path.erase(path.rfind('/'))) read(mount + path);
  read(mount);
}

/// Whether a list of controllers, "cpu,cpuacct", has this one.
bool lists(std::string_view controllers, std::string_view name) {
  while (!controllers.empty()) {
    const std::size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == name) return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

}  // namespace

GroupLimits group_limits(const System& system, const std::string& process) {
  GroupLimits limits;
  // Each line is "NUMBER:CONTROLLERS:PATH"; version 2 has the number 0 and no controllers.
  std::istringstream lines(system.bytes("/proc/" + process + "/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      // systemd(1) mounts version 2 at the second one where both versions are in use.
      for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
        read_upwards(mount, path, [&](const std::string& folder) { read_version_2(system, folder, limits); });
      }
    }
    if (lists(controllers, "cpu")) {
      read_upwards("/sys/fs/cgroup/cpu", path,
                   [&](const std::string& folder) { read_version_1_cpu(system, folder, limits); });
    }
    if (lists(controllers, "memory")) {
      read_upwards("/sys/fs/cgroup/memory", path,
                   [&](const std::string& folder) { read_version_1_memory(system, folder, limits); });
    }
  }
  return limits;
}

}  // namespace airamp::doctor
