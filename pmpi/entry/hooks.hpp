// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

// What happens in each hooked function of functions.inc, between the entry point and the real function. The caller is
// inside a wrapper; the result is what the application gets.
#define AIRAMP_COUNTED(name, bytes, parameters, arguments)
#define AIRAMP_HOOKED(name, parameters, arguments) int on_##name parameters;
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED

/// MPI_Pcontrol: level 0 switches AIRamp off, 1 on; other levels mean nothing to it.
void on_pcontrol(int level) noexcept;

}  // namespace airamp::pmpi
