// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/decide/call.hpp"
#include "pmpi/decide/decide.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Does with a call what was decided. Collective, as the decision says. Returns the MPI error code for the application.
int carry_out(const Call& call, const Decision& decision);

/// The trouble of an algorithm becomes the application's through its communicator's error handler, and the signature's
/// end. Returns the error code for the application.
int raise(CommunicatorState& state, SignatureState& signature, int error);

/// The rest of a call of so many bytes whose data all ranks have laid out and whose agreement was their meeting.
/// Returns the MPI error code for the application.
int finish_staged(CommunicatorState& state, SignatureState& signature, StagedExchange& exchange,
                  const CollectiveData& data, std::uint64_t bytes);

/// The end of a call whose exchange has ended with `error`: counted, and an error raised.
int end_staged(CommunicatorState& state, SignatureState& signature, int error, std::uint64_t bytes);

/// An error of this rank's alone becomes the application's through its communicator's error handler; the algorithm is
/// as good as before. Returns the error code for the application.
int raise_own(const CommunicatorState& state, int error);

/// Counts a call of so many bytes that went without an agreement of its own.
inline void count_unasked(SignatureState& signature, std::uint64_t bytes) {
  signature.tuner.count_calls(1);
  ++signature.calls;
  signature.bytes += bytes;
}

/// The same of one that an algorithm has carried.
inline void count_carried(SignatureState& signature, std::uint64_t bytes) {
  count_unasked(signature, bytes);
  ++signature.accelerated_calls;
}

/// Whether the time of the signature's next call that its algorithm carries is taken: a clock costs as much as all the
/// rest of a short call.
inline bool is_timed(const SignatureState& signature) {
  constexpr std::uint64_t calls_between_times = 16;
  return signature.accelerated_calls % calls_between_times == 0;
}

/// Whether an expected call can take a plan without an agreement before it. The same on all ranks.
bool can_piggyback(const ReadyPlan& plan);

/// Runs a call by an algorithm that asks for the ranks' consent along with its first messages. `consent`: whether this
/// rank finds of the call what the plan says. If some rank does not, it is false on all, and the call is still to be
/// run.
Result<bool> run_piggybacked(const Call& call, const ReadyPlan& plan, bool consent);

/// Packs what of a call has to be before the ranks agree on it: `call.packed`. False if there was no memory,
/// or the MPI library does not, and says so of the call.
bool pack(Call& call);

/// Lays out the data of a call for the others before the ranks agree on it, if the plan's algorithm can: `call.staged`.
/// False if there was no memory: the others, who may have laid out theirs, must hear that the call is to be native.
bool stage(Call& call, const ReadyPlan& plan);

}  // namespace airamp::pmpi
