// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>

namespace airamp::base {

/// Hands the lines of a text file, such as those under /proc, to `accept` until it says that one was the right one.
/// Whether one was; false if the file cannot be read. Of a line of more than 511 bytes its parts come one by one.
template <class Accept>
bool find_line(const char* path, Accept&& accept) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path, "re"));
  char line[512];
  while (file && std::fgets(line, sizeof line, file.get()) != nullptr) {
    if (accept(static_cast<const char*>(line))) return true;
  }
  return false;
}

}  // namespace airamp::base
