// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace airamp::pmpi {

/// One enumerator per wrapped function.
enum class Function : unsigned {
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) name,
#define AIRAMP_HOOKED(name, parameters, arguments) name,
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
  MPI_Pcontrol,
};

inline constexpr std::array function_names = {
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) std::string_view{#name},
#define AIRAMP_HOOKED(name, parameters, arguments) std::string_view{#name},
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
    std::string_view{"MPI_Pcontrol"},
};

inline constexpr std::size_t function_count = function_names.size();

}  // namespace airamp::pmpi
