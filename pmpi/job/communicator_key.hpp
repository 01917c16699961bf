// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Of the members of a communicator as ranks of MPI_COMM_WORLD, in order; 0 if MPI fails or there is no memory. Local.
std::uint64_t members_of(MPI_Comm comm, bool inter) noexcept;

/// A name for a communicator, made without a word to the other ranks: its members and how many communicators of the
/// same members this rank has met before. Equal on all its ranks if they use such communicators for the first time in
/// the same order; not 0. For people and their tools, never for a decision. May throw std::bad_alloc.
std::uint64_t communicator_key(MPI_Comm comm, bool inter);

}  // namespace airamp::pmpi
