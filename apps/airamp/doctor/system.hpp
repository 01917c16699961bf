// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/load.hpp"

namespace airamp::doctor {

/// Bytes of a file system.
struct Space {
  std::uint64_t all = 0;
  std::uint64_t free = 0;  ///< for ordinary users
};

/// The host that is looked at: its files, and what no file tells. Tests make one up. None of the functions throws
/// anything but std::bad_alloc; what cannot be read is not there.
class System {
 public:
  std::string root;                 ///< before every path; empty: this host's own files
  config::Environment environment;  ///< of the job, or of this process
  /// The file system that a folder lies in; nothing if there is no such folder.
  std::function<std::optional<Space>(const std::string& folder)> space;
  /// Whether this user can make files in a folder.
  std::function<bool(const std::string& folder)> writable;

  /// All of a file, at most 1 MiB.
  std::optional<std::string> bytes(const std::string& path) const;
  /// The same without the blanks and line ends at its end.
  std::optional<std::string> text(const std::string& path) const;
  /// A file that holds one number and nothing else.
  std::optional<std::int64_t> number(const std::string& path) const;
  /// What follows `key` in the first line that begins with it, without blanks around it.
  std::optional<std::string> value(const std::string& path, const std::string& key) const;
  /// Names in a folder, sorted.
  std::vector<std::string> entries(const std::string& folder) const;
  /// The name of what a symbolic link leads to, without its folder.
  std::optional<std::string> link(const std::string& path) const;
  bool exists(const std::string& path) const;

  /// A variable of the environment; empty if it is not set.
  std::string variable(const std::string& name) const { return environment.value(name).value_or(""); }
  /// The processors that a process may use; `process` is a number or "self". None if it is not known.
  std::set<int> processors_of(const std::string& process) const;
  /// The processors of each NUMA node, by its number.
  std::vector<std::pair<int, std::set<int>>> numa_nodes() const;
};

/// This host, with the environment of this process.
System this_system();

}  // namespace airamp::doctor
