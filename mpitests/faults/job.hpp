// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpitests/faults/work.hpp"

namespace airamp::faults {

/// MPI_Init_thread.
void start(int required = MPI_THREAD_FUNNELED);

/// MPI_Finalize, and the verdict "right".
void finish();

/// Whether this is the rank to which it happens.
bool is_last();

/// Rounds of Work on MPI_COMM_WORLD.
void work(int rounds = enough_rounds);

}  // namespace airamp::faults
