// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "mpitests/soak/call.hpp"

namespace airamp::soak {

/// Makes the call on `communicator` with small whole numbers, and compares every byte of its result, and beside it,
/// with what this rank works out from all ranks' numbers. Returns what is wrong, empty if nothing is. `meanwhile` runs
/// between the start of a nonblocking call and its completion.
std::string run_checked(const Call& call, MPI_Comm communicator, const std::function<void()>& meanwhile);

}  // namespace airamp::soak
