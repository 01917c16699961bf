// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How much of a host's shared memory AIRamp leaves to others. Who keeps memory there in pages that it writes for the
// first time when it needs them, as MPI libraries do with messages, is killed where there are none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace airamp {

/// How many bytes of it the messages of a job may come to take, of which `ranks` are on the host. `library`: what
/// MPI_Get_library_version says, or its first line; one that is not known counts as MPICH.
std::uint64_t shared_memory_of_messages(std::string_view library, int ranks);

/// What is left to others of `all` bytes: a quarter, and at least what messages may take.
constexpr std::uint64_t shared_memory_for_others(std::uint64_t all, std::uint64_t of_messages) {
  constexpr std::uint64_t part_for_others = 4;
  return std::max(all / part_for_others, of_messages);
}

}  // namespace airamp
