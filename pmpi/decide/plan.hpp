// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The plan of a signature: what its algorithms need, acquired on first sight and held from call to call.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "pmpi/decide/call.hpp"
#include "pmpi/mpi/result.hpp"
#include "tuner/signature_tuner.hpp"

namespace airamp::pmpi {

/// The algorithm that calls of one gate have taken before.
struct ReadyPlan {
  SignatureState* signature = nullptr;  ///< none: there is no such plan
  std::size_t candidate = 0;
  LocalFacts facts;  ///< what the ranks agreed that the calls are

  Algorithm& algorithm() const { return *signature->algorithms[candidate]; }
};

/// That of calls of such a length on host buffers that the ranks have agreed on before, if they have chosen an
/// algorithm for them. The same on all ranks whose calls have the same length, as MPI wants it.
ReadyPlan ready_plan(const Call& call);

/// The candidate that the ranks have chosen, though the tuner may want to look at it again; empty if it is native, or
/// not acquired. The same on all ranks.
std::optional<std::size_t> chosen_candidate(const SignatureState& signature);

/// The candidate by which a signature's calls go without a question to the tuner; empty if they are native, measured or
/// not acquired. The same on all ranks.
std::optional<std::size_t> ready_candidate(const SignatureState& signature);

/// Whether this rank finds of a call what the ranks have agreed of the calls before it.
bool is_as_before(const Call& call, const ReadyPlan& plan);

/// Whether some algorithm is bound to this rank's buffers of a call, if the others see the call as this rank does.
bool buffers_recur(const Call& call);

/// What this rank knows from other communicators of a signature that is new to this one.
std::optional<tuner::SignatureTuner> known_before(const Call& call);

/// The signature of a call that all ranks agree on. One that is new starts from what is `known`, which is agreed.
SignatureState& signature_of(const Call& call, const std::optional<tuner::SignatureTuner>& known);

/// Acquires what the candidates of a signature need, unless it is held; of each candidate all ranks hold it, or none.
/// Collective. If nothing could be acquired, `signature.why_not_acquired` says why. Returns an MPI error code.
int acquire(const Call& call, SignatureState& signature);

/// Takes a candidate that has given up out of the race, for good. Local; on all ranks after the same call.
void give_up(SignatureState& signature, std::size_t candidate, std::string_view cause);

}  // namespace airamp::pmpi
