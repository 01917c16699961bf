// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/rank_placement.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <vector>

#include "apps/airamp/number_list.hpp"

namespace airamp::command_line {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

std::string allowed_cpus(std::uint64_t process) {
  constexpr std::string_view key = "Cpus_allowed_list:";
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", key.size());
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

std::set<int> nodes_of(const std::set<int>& cpus) {
  std::set<int> nodes;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/sys/devices/system/node", error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("node")) continue;
    const std::set<int> own = parse_number_list(first_line(entry.path() / "cpulist"));
    const bool shared = std::any_of(own.begin(), own.end(), [&](int cpu) { return cpus.contains(cpu); });
    int number = 0;
    const auto parsed = std::from_chars(name.data() + 4, name.data() + name.size(), number);
    if (shared && parsed.ec == std::errc()) nodes.insert(number);
  }
  return nodes;
}

/// The names of a device's entries in a class, "eth0" or "mlx5_0".
void add_names(const fs::path& folder, std::vector<std::string>& names) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    names.push_back(entry.path().filename());
  }
}

bool is_gpu(const std::string& pci_class) {
  // PCI Code and ID Assignment: 0x03 display controllers, 0x12 processing accelerators.
  return pci_class.starts_with("0x03") || pci_class.starts_with("0x12");
}

}  // namespace

RankPlacement rank_placement(std::uint64_t process) {
  RankPlacement place;
  place.cpus = allowed_cpus(process);
  const std::set<int> nodes = nodes_of(parse_number_list(place.cpus));
  std::vector<std::string> node_names;
  node_names.reserve(nodes.size());
  for (int node : nodes) node_names.push_back(std::to_string(node));
  place.numa_nodes = join(node_names);
  std::vector<std::string> gpus;
  std::vector<std::string> nics;
  std::error_code error;
  for (const fs::directory_entry& device : fs::directory_iterator("/sys/bus/pci/devices", error)) {
    // -1: the firmware does not say, as on machines with one node.
    const std::string node = first_line(device.path() / "numa_node");
    const std::set<int> own = parse_number_list(node);
    if (!own.empty() && !nodes.contains(*own.begin())) continue;
    const std::string pci_class = first_line(device.path() / "class");
    if (is_gpu(pci_class)) gpus.push_back(device.path().filename());
    if (!pci_class.starts_with("0x02")) continue;
    add_names(device.path() / "net", nics);
    add_names(device.path() / "infiniband", nics);
  }
  std::sort(gpus.begin(), gpus.end());
  std::sort(nics.begin(), nics.end());
  place.gpus = join(gpus);
  place.nics = join(nics);
  return place;
}

}  // namespace airamp::command_line
