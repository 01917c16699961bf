// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Whether the MPI library refuses the call on this rank without a word to the others, which then hear no more of it
/// than they do natively, and come to the next one with it.
template <class Collective>
bool is_refused(const Collective& call) {
  return job().refused_aliases[static_cast<std::size_t>(call.kind())] && call.aliased();
}

/// Whether the MPI library refuses one with a shortcut on this rank alone: of blocks of any length that does not tell.
template <class Collective>
bool is_refused_alone(const Collective& call, const CommunicatorState& state) {
  if constexpr (requires { call.is_refused_alone(state.size); }) return call.is_refused_alone(state.size);
  return has_blocks_of_any_length(call.kind()) && call.is_refused_alone();
}

}  // namespace airamp::pmpi
