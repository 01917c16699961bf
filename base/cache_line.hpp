// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::base {

/// Bytes that processors exchange at once.
inline constexpr std::size_t cache_line = 64;

/// So many bytes, up to the end of a cache line.
constexpr std::size_t whole_cache_lines(std::size_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

}  // namespace airamp::base
