// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace airamp {

/// How many bytes of a host's shared memory AIRamp leaves to others, of `all` that there are, where `ranks` of a job
/// are on the host. Who keeps memory there in pages that it writes for the first time when it needs them, as MPI
/// libraries do with messages, is killed where there are none: a quarter, and at least what the MPI library may come to
/// need. `library`: what MPI_Get_library_version says, or its first line; one that is not known counts as MPICH.
std::uint64_t shared_memory_for_others(std::uint64_t all, int ranks, std::string_view library);

}  // namespace airamp
