// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/system.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "apps/airamp/number_list.hpp"

namespace airamp::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{1} << 20U;
constexpr const char* blanks = " \t\r\n";

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(blanks) + 1);
  text.erase(0, std::min(text.find_first_not_of(blanks), text.size()));
  return text;
}

std::optional<std::int64_t> parsed(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<Space> space_of(const std::string& folder) {
  struct statvfs system {};
  if (statvfs(folder.c_str(), &system) != 0) return {};
  return Space{.all = std::uint64_t{system.f_blocks} * system.f_frsize,
               .free = std::uint64_t{system.f_bavail} * system.f_frsize};
}

}  // namespace

std::optional<std::string> System::bytes(const std::string& path) const {
  std::ifstream file(root + path, std::ios::binary);
  if (!file) return {};
  std::string text;
  std::array<char, 4096> part;
  while (text.size() < most_bytes && (file.read(part.data(), part.size()) || file.gcount() > 0)) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  // What is opened, but cannot be read: a folder, or a file of /sys that has no answer.
  if (file.bad()) return {};
  return text;
}

std::optional<std::string> System::text(const std::string& path) const {
  const auto all = bytes(path);
  return all ? std::optional(trimmed(*all)) : std::nullopt;
}

std::optional<std::int64_t> System::number(const std::string& path) const {
  const auto all = text(path);
  return all ? parsed(*all) : std::nullopt;
}

std::optional<std::string> System::value(const std::string& path, const std::string& key) const {
  std::istringstream lines(bytes(path).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key)) return trimmed(line.substr(key.size()));
  }
  return {};
}

std::vector<std::string> System::entries(const std::string& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(root + folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> System::link(const std::string& path) const {
  std::error_code error;
  const fs::path target = fs::read_symlink(root + path, error);
  return error ? std::nullopt : std::optional(target.filename().string());
}

bool System::exists(const std::string& path) const {
  std::error_code error;
  return fs::exists(root + path, error);
}

std::set<int> System::processors_of(const std::string& process) const {
  const auto list = value("/proc/" + process + "/status", "Cpus_allowed_list:");
  return list ? command_line::parse_number_list(*list) : std::set<int>();
}

std::vector<std::pair<int, std::set<int>>> System::numa_nodes() const {
  std::vector<std::pair<int, std::set<int>>> nodes;
  const std::string folder = "/sys/devices/system/node";
  const auto list_of = [&](const std::string& name) { return text(folder + "/" + name + "/cpulist"); };
  for (const std::string& name : entries(folder)) {
    if (!name.starts_with("node")) continue;
    const auto number = parsed(name.substr(4));
    const auto list = list_of(name);
    if (number && list) nodes.emplace_back(static_cast<int>(*number), command_line::parse_number_list(*list));
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

System this_system() {
  System system;
  system.environment = config::process_environment();
  system.space = space_of;
  system.writable = [](const std::string& folder) { return access(folder.c_str(), W_OK | X_OK) == 0; };
  return system;
}

}  // namespace airamp::doctor
