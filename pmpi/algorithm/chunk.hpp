// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

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

}  // namespace airamp::pmpi
