// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>

#include "mpitests/differential/random.hpp"

namespace airamp::restless {

/// Makes a sum of random numbers again and again, now and then of fewer. Every bit must be that of the MPI library's
/// own result. Returns what is wrong, empty if nothing is. `random` must be in the same state on all ranks of the
/// communicator, and draws as much whatever its size.
std::string repeat_sum(differential::Random& random, MPI_Comm communicator);

}  // namespace airamp::restless
