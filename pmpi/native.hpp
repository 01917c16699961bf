// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi.hpp"

namespace airamp::pmpi {

/// The real MPI library as a table of functions, reached past our own entry points. A function that the library lacks
/// is nullptr.
struct Native {
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) int(*name) parameters = nullptr;
#define AIRAMP_HOOKED(name, parameters, arguments) int(*name) parameters = nullptr;
#include "pmpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
#define AIRAMP_NATIVE(name) decltype(&::PMPI_##name) name = nullptr;
#include "pmpi/native_functions.inc"
#undef AIRAMP_NATIVE
};

/// The table, filled on first use. Thread-safe.
const Native& native() noexcept;

}  // namespace airamp::pmpi
