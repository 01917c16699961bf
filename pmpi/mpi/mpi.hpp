// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The only way to <mpi.h> in the library. Open MPI's predefined handles are addresses of data in libmpi; a reference to
// one would make every preloaded program, a shell too, need libmpi. Here they are looked up when they are first used.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <type_traits>

#include "pmpi/mpi/native_library.hpp"

#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global)                           \
  ([]() noexcept {                                                     \
    static void* const address = ::airamp::pmpi::native_data(#global); \
    return static_cast<type>(address);                                 \
  }())
#endif

namespace airamp::pmpi {

/// A handle's bits, whether the MPI library's handles are addresses or numbers.
template <class Handle>
std::uintptr_t bits_of(Handle handle) noexcept {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uint32_t>(handle);
  }
}

}  // namespace airamp::pmpi
