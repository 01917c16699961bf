// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstddef>

namespace airamp::base {

/// The beginning of a small file, as /proc and /sys have them, terminated; empty if it cannot be read.
template <std::size_t Size>
std::array<char, Size> read_start(const char* path) noexcept {
  std::array<char, Size> text{};
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  const ssize_t length = read(file, text.data(), text.size() - 1);
  close(file);
  text[length > 0 ? static_cast<std::size_t>(length) : 0] = '\0';
  return text;
}

}  // namespace airamp::base
