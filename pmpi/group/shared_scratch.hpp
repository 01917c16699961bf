// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/device/wire_scratch.hpp"
#include "pmpi/group/communicator_resources.hpp"

namespace airamp::pmpi {

/// Rows in plain memory for an algorithm on a communicator, shared with all whose calls cannot run at the same time:
/// where one thread at a time calls MPI with those on all communicators, else with those on the same one. Local.
/// Throws std::bad_alloc.
std::shared_ptr<WireScratch> shared_scratch(CommunicatorResources& resources);

/// Gives back what communicators share, but for what an algorithm still holds. Called in MPI_Finalize.
void release_shared_scratch();

}  // namespace airamp::pmpi
