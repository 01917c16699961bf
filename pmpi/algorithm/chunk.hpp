// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/cache_line.hpp"

namespace airamp::pmpi {

/// A piece of a vector, in bytes.
struct Chunk {
  std::size_t begin;
  std::size_t bytes;
};

constexpr std::size_t chunks_of(std::size_t bytes, std::size_t chunk_bytes) {
  return (bytes + chunk_bytes - 1) / chunk_bytes;
}

/// The chunk of that number of a vector of `bytes` bytes; empty behind the end.
constexpr Chunk chunk_of(std::size_t bytes, std::size_t chunk_bytes, std::size_t number) {
  const std::size_t begin = std::min(bytes, number * chunk_bytes);
  return {.begin = begin, .bytes = std::min(chunk_bytes, bytes - begin)};
}

/// What one of `ranks` ranks has of a vector of `bytes` bytes that they share out: whole cache lines, as many as the
/// others, but for the end; empty where there are fewer than ranks.
constexpr Chunk part_of(std::size_t bytes, int rank, int ranks) {
  const std::size_t lines = chunks_of(bytes, base::cache_line);
  const auto cut = [&](int at) {
    return std::min(bytes, lines * static_cast<std::size_t>(at) / static_cast<std::size_t>(ranks) * base::cache_line);
  };
  return {.begin = cut(rank), .bytes = cut(rank + 1) - cut(rank)};
}

}  // namespace airamp::pmpi
