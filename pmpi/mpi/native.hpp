// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// The real MPI library as a table of functions, reached past our own entry points. A function that the library lacks
/// is nullptr.
struct Native {
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) int(*name) parameters = nullptr;
#define AIRAMP_HOOKED(name, parameters, arguments) int(*name) parameters = nullptr;
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
#define AIRAMP_NATIVE(name) decltype(&::PMPI_##name) name = nullptr;
#define AIRAMP_NATIVE_OPTIONAL(name, parameters) int(*name) parameters = nullptr;
#include "pmpi/mpi/native_functions.inc"
#undef AIRAMP_NATIVE
#undef AIRAMP_NATIVE_OPTIONAL
};

/// Fills the table, or finds that it is filled. Thread-safe.
const Native& resolve_native() noexcept;

extern std::atomic<const Native*> resolved_native;

/// The table, filled on first use. Thread-safe; inline, for a call asks several times.
inline const Native& native() noexcept {
  const Native* const resolved = resolved_native.load(std::memory_order_acquire);
  return resolved != nullptr ? *resolved : resolve_native();
}

}  // namespace airamp::pmpi
