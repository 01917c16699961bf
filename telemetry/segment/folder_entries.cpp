// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/folder_entries.hpp"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cstddef>

#include "telemetry/segment/segment_file.hpp"

namespace airamp::telemetry {

std::vector<std::string> folder_entries(int descriptor) {
  constexpr std::size_t most = 65536;
  std::vector<std::string> names;
  // A descriptor of its own: closedir closes it, and the caller's keeps its position.
  DIR* folder = fdopendir(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder == nullptr) return names;
  while (names.size() < most) {
    const dirent* entry = readdir(folder);
    if (entry == nullptr) break;
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace airamp::telemetry
