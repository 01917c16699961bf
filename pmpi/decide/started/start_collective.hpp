// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/call/started/start_arguments.hpp"
#include "pmpi/state/started/started_requests.hpp"

namespace airamp::pmpi {

// A start waits for nobody, and so the ranks cannot agree there. Whether a start goes through shared memory is a
// function of what they have agreed before, in a call in which all wait for all (settle_starts), and of what the first
// of them to come decides for all (StartRing).

/// Starts a nonblocking collective through memory that the ranks share. The application's request for it;
/// MPI_REQUEST_NULL if the MPI library is to start it, as on all ranks. Throws std::bad_alloc.
MPI_Request start_nonblocking(const StartArguments& arguments);

/// The same of a persistent collective, whose request is active then. Whether it was started.
bool start_persistent(StartedRequest& request);

/// A persistent collective of the program that the MPI library has made, on copies of its buffers if there are some:
/// its starts may go through shared memory. Throws std::bad_alloc.
void watch_persistent(const StartArguments& arguments, MPI_Request request, std::unique_ptr<CopiedStart> copied);

}  // namespace airamp::pmpi
