// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The only way to <mpi.h> in the library. Open MPI's predefined handles are addresses of data in libmpi; a reference to
// one would make every preloaded program, a shell too, need libmpi. Here they are looked up when they are first used.
#pragma once

#include <mpi.h>

#include "pmpi/mpi/native_library.hpp"

#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global)                           \
  ([]() noexcept {                                                     \
    static void* const address = ::airamp::pmpi::native_data(#global); \
    return static_cast<type>(address);                                 \
  }())
#endif
