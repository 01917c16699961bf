// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp_probe/answers.hpp"

namespace airamp::probe {

/// Loads the MPI library `file`, which may be a name that the loader looks for, and asks what may be asked before
/// MPI_Init.
MpiLibrary ask_mpi_library(const std::string& file);

}  // namespace airamp::probe
