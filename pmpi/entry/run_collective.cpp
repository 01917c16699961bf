// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/run_collective.hpp"

#include <optional>
#include <utility>

#include "pmpi/decide/admission.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/decide.hpp"
#include "pmpi/decide/repeated_call.hpp"
#include "pmpi/decide/unsynchronized/posted_by_root.hpp"
#include "pmpi/decide/unsynchronized/posted_reduction.hpp"

namespace airamp::pmpi {
namespace {

/// Whether a root may leave the call's data for the others in memory that the ranks share. The same on all ranks.
bool may_be_posted(const CollectiveCall& call, std::uint64_t bytes, const CommunicatorState& state) {
  return state.posted_by_root.any(call.kind()) && have_root_message(call.kind(), bytes);
}

/// A reduce that counts as one that is posted or passes by: which of both, and its way if it is over by that. `known`:
/// its shortcut, if it has one.
std::optional<int> post_or_pass(const ReduceCall& reduction, std::uint64_t bytes, CommunicatorState& state,
                                Shortcut* known) {
  if (may_be_posted_reduction(Kind::reduce, bytes, state)) {
    if (known != nullptr) {
      if (const std::optional<int> done = run_posted_reduction(reduction, state, *known)) return done;
    }
    const bool may_go_otherwise = known == nullptr || known->posted != nullptr;
    if (may_go_otherwise) {
      if (const std::optional<int> done = run_posted_reduction(reduction, bytes, state)) return done;
    }
  }
  if (may_be_shorter_elsewhere(reduction, bytes, state, known)) {
    if (const std::optional<int> done = run_as_shorter_reduction(reduction, state)) return done;
  }
  state.resources.contributions()->pass_by();
  return std::nullopt;
}

/// `looked`: whether a call is posted has been looked at: it is not. `staged`: with what this rank has come to the
/// call's agreement already, if it has.
int run_admitted(const CollectiveCall& call, std::uint64_t bytes, bool looked, std::optional<CollectiveData> staged) {
  const Result<Admission> admission = admit(call, bytes);
  if (!admission.ok()) return admission.error();
  if (!admission->admitted()) return call.run_native();
  CommunicatorState& state = *admission->state;
  if (!looked && may_be_posted(call, bytes, state)) {
    if (const std::optional<int> done = run_posted_by_root(call, bytes, state)) return *done;
  }
  if (!looked && call.kind() == Kind::reduce) {
    const auto& reduction = static_cast<const ReduceCall&>(call);
    if (posts_or_passes(reduction, bytes, state)) {
      if (const std::optional<int> done = post_or_pass(reduction, bytes, state, nullptr)) return *done;
    }
  }
  return accelerate(call, *admission, bytes, std::move(staged));
}

/// A call that is not posted. `known`: its shortcut, if it has one.
int run_repeated(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state, Shortcut* known) {
  std::optional<CollectiveData> staged;
  if (known != nullptr) {
    if (const std::optional<int> done = repeat(call, state, *known, staged)) return *done;
  }
  return run_admitted(call, bytes, true, std::move(staged));
}

/// A call that its root posts, or does not after all.
int end_by_root(const CollectiveCall& call, CommunicatorState& state, Shortcut& known) {
  const std::uint64_t bytes = known.facts.bytes;
  if (const std::optional<int> done = end_posted_by_root(call, bytes, state)) return *done;
  return run_repeated(call, bytes, state, &known);
}

}  // namespace

int run_looked_at(const CollectiveCall& call, std::uint64_t bytes) {
  return run_admitted(call, bytes, false, std::nullopt);
}

int run_known(const CollectiveCall& call, CommunicatorState& state, Shortcut& known) {
  const std::uint64_t bytes = known.facts.bytes;
  const ObservedCall observed(call, bytes, state);
  return run_repeated(call, bytes, state, &known);
}

int run_disagreed(const CollectiveCall& call, CommunicatorState& state, const Shortcut& known) {
  const std::uint64_t bytes = known.facts.bytes;
  const ObservedCall observed(call, bytes, state, ObservedCall::Begun{});
  return run_admitted(call, bytes, true, call.data(known.facts));
}

int run_ended(const CollectiveCall& call, CommunicatorState& state, const Shortcut& known, int error) {
  const std::uint64_t bytes = known.facts.bytes;
  const ObservedCall observed(call, bytes, state, ObservedCall::Begun{});
  return end_staged(state, *known.signature, error, bytes);
}

int run_failed(const CollectiveCall& call, CommunicatorState& state, const Shortcut& known) {
  const ObservedCall observed(call, known.facts.bytes, state, ObservedCall::Begun{});
  return raise(state, *known.signature, MPI_ERR_OTHER);
}

int run_reduce(const ReduceCall& call, std::uint64_t bytes, CommunicatorState& state, Shortcut* known) {
  const ObservedCall observed(call, bytes, state);
  if (const std::optional<int> done = post_or_pass(call, bytes, state, known)) return *done;
  return run_repeated(call, bytes, state, known);
}

int run_reduce_late(const ReduceCall& call, CommunicatorState& state, const Shortcut& known) {
  const ObservedCall observed(call, known.facts.bytes, state);
  return end_posted_reduction(call, state, known);
}

int run_begun_reduce_late(const ReduceCall& call, CommunicatorState& state, const Shortcut& known) {
  const ObservedCall observed(call, known.facts.bytes, state, ObservedCall::Begun{});
  return end_posted_reduction(call, state, known);
}

int run_by_root_late(const CollectiveCall& call, CommunicatorState& state, Shortcut& known, bool looks) {
  const ObservedCall observed(call, known.facts.bytes, state);
  return looks ? end_by_root(call, state, known) : run_repeated(call, known.facts.bytes, state, &known);
}

int run_begun_by_root_late(const CollectiveCall& call, CommunicatorState& state, Shortcut& known) {
  const ObservedCall observed(call, known.facts.bytes, state, ObservedCall::Begun{});
  return end_by_root(call, state, known);
}

int run_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  const ObservedCall observed(call, bytes, state);
  if (const std::optional<int> done = run_posted_by_root(call, bytes, state)) return *done;
  return run_repeated(call, bytes, state, shortcut_of(state, call));
}

}  // namespace airamp::pmpi
