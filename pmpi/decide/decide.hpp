// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pmpi/call/collective_data.hpp"
#include "pmpi/decide/admission.hpp"
#include "pmpi/decide/call.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// What is done with a call; the same on all ranks.
struct Decision {
  enum class Action : std::uint8_t {
    pass_through,   ///< natively, without having been asked about
    refuse,         ///< natively, and the report says why
    stay_native,    ///< natively, as the tuner or the want of a plan decides
    time_native,    ///< natively, and all ranks take note of the time
    measure,        ///< natively and by all candidates
    accelerate,     ///< by the chosen algorithm
    finish_staged,  ///< the agreement was the exchange: only local work is left
    nothing         ///< the agreement was the call
  };
  Action action = Action::pass_through;
  Reason why = Reason::none;            ///< of what is refused
  SignatureState* signature = nullptr;  ///< of what is neither passed through nor refused
  std::size_t candidate = 0;            ///< of what is accelerated or staged
  bool recurs = false;                  ///< whether the candidate is bound to the buffers of all ranks
};

/// Decides what is done with a call, and prepares it. Collective, within the application's call. Throws std::bad_alloc
/// only where the other ranks do not wait.
Result<Decision> decide(Call& call);

/// Carries out a call of a collective that may be accelerated: natively, measured, or by an agreed algorithm.
/// `admission`: of an admitted call; `bytes`: the call's; both equal on all ranks. `staged`: with what this rank has
/// come to the call's agreement already, if it has (`repeat`). The caller is inside a wrapper. Returns the MPI error
/// code for the application.
int accelerate(const CollectiveCall& collective, const Admission& admission, std::uint64_t bytes,
               std::optional<CollectiveData> staged = std::nullopt);

}  // namespace airamp::pmpi
