// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/folder_entries.hpp"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace airamp::telemetry {

void visit_entries(int descriptor, const std::function<bool(const char* name)>& visit) {
  struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
  };
  // A descriptor of its own: closedir closes it, and the caller's keeps its position.
  const std::unique_ptr<DIR, Close> folder(fdopendir(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && !visit(entry->d_name)) return;
  }
}

std::vector<std::string> folder_entries(int descriptor, std::size_t most) {
  std::vector<std::string> names;
  visit_entries(descriptor, [&](const char* name) {
    if (names.size() < most) names.emplace_back(name);
    return names.size() < most;
  });
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace airamp::telemetry
