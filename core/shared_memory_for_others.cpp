// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/shared_memory_for_others.hpp"

#include <algorithm>

namespace airamp {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
constexpr std::uint64_t part_for_others = 4;

/// What messages and collectives of all sizes made MPI libraries write, rounded up: for each rank Open MPI 0.4 to 0.8
/// MiB, where a segment has 4, and MPICH 4 to 5.5; Intel MPI for each pair of ranks 2.8 (docs/shared_memory.md).
std::uint64_t messages_of(std::string_view library, std::uint64_t ranks) {
  if (library.find("Open MPI") != std::string_view::npos) return 4 * mebibyte * ranks;
  if (library.find("Intel") != std::string_view::npos) return 3 * mebibyte * ranks * ranks;
  return 8 * mebibyte * ranks;
}

}  // namespace

std::uint64_t shared_memory_for_others(std::uint64_t all, int ranks, std::string_view library) {
  return std::max(all / part_for_others, messages_of(library, static_cast<std::uint64_t>(std::max(ranks, 1))));
}

}  // namespace airamp
