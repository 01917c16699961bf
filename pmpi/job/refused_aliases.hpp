// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>

#include "core/collective_kind.hpp"

namespace airamp::pmpi {

/// Kinds of collectives, by their numbers.
using KindSet = std::bitset<every_kind.size()>;

/// The kinds of calls that the MPI library refuses, without a word to the other ranks, from a rank that receives where
/// it sends from and does not say MPI_IN_PLACE. The library is asked, in calls on a communicator of this rank alone.
/// Within MPI_Init.
KindSet ask_for_refused_aliases();

}  // namespace airamp::pmpi
