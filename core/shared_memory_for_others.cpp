// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/shared_memory_for_others.hpp"

namespace airamp {

/// What messages and collectives of all sizes made MPI libraries write, rounded up: for each rank Open MPI 0.4 to 0.8
/// MiB, where a segment has 4, and MPICH 4 to 5.6; Intel MPI 2.8 for each rank and each that it may send to
/// (docs/shared_memory.md).
std::uint64_t shared_memory_of_messages(std::string_view library, int ranks) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  const auto number = static_cast<std::uint64_t>(std::max(ranks, 1));
  if (library.find("Open MPI") != std::string_view::npos) return 4 * mebibyte * number;
  if (library.find("Intel") != std::string_view::npos) return 3 * mebibyte * number * number;
  return 8 * mebibyte * number;
}

}  // namespace airamp
