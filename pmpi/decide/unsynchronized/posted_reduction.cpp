// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/posted_reduction.hpp"

#include "pmpi/algorithm/abilities/posted_exchange.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/call.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/decide/unsynchronized/posted_call.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {
namespace {

/// How calls are posted.
struct PostedReduction {
  SignatureState* signature;
  std::size_t candidate;
  PostedExchange* exchange;
};

/// Nothing if the ranks ask each other. A function of what they have agreed on, and of what MPI wants equal.
std::optional<PostedReduction> posted(const CollectiveCall& reduction, const LocalFacts& facts,
                                      CommunicatorState& state) {
  if (state.posts_no_reductions || !facts.eligible()) return std::nullopt;
  const auto found = state.signatures.find(signature_key_of(Kind::reduce, facts));
  if (found == state.signatures.end()) return std::nullopt;
  SignatureState& signature = found->second;
  const std::optional<std::size_t> candidate = ready_candidate(signature);
  if (!candidate) return std::nullopt;
  PostedExchange* const exchange = signature.algorithms[*candidate]->posted_exchange();
  if (exchange == nullptr || !exchange->may_be_posted(reduction.data(facts))) return std::nullopt;
  return PostedReduction{.signature = &signature, .candidate = *candidate, .exchange = exchange};
}

/// The root's part of a call by which all others pass, which send what they have as the MPI library does.
int pass_by_with_others(const CollectiveCall& reduction, const CommunicatorState& state) {
  state.resources.contributions()->pass_by();
  pass_by(state);
  mark_native(state);
  return reduction.run_native();
}

/// `part`: of its exchange, all or the rest.
int post(const CollectiveCall& reduction, const LocalFacts& facts, CommunicatorState& state, const PostedReduction& way,
         std::optional<int> (PostedExchange::*part)(const CollectiveData&) = &PostedExchange::post) {
  mark_exchange(state, way.signature->candidates[way.candidate]);
  CollectiveData data = reduction.data(facts);
  data.patience_seconds = patience_seconds(state, facts.bytes);
  const PostedCall call(*way.signature);
  const std::optional<int> error = (way.exchange->*part)(data);
  if (!error) return pass_by_with_others(reduction, state);
  call.count(facts.bytes);
  if (*error == MPI_SUCCESS) return MPI_SUCCESS;
  HostMeeting& meeting = state.resources.host.made->meeting();
  return meeting.has_failed() ? raise_failure(meeting, state.comm) : raise_own(state, *error);
}

[[gnu::noinline]] void look_whether_posted(const CollectiveCall& reduction, CommunicatorState& state, Shortcut& known) {
  const LocalFacts facts = facts_of_posted(reduction, known.facts.bytes);
  const std::optional<PostedReduction> way = posted(reduction, facts, state);
  known.posted = way ? way->exchange : nullptr;
  known.posted_checked_at = state.looked_at;
  known.post = {};
  if (!way) return;
  known.facts = facts;
  known.signature = way->signature;
  known.candidate = way->candidate;
  if (const AlgorithmId path = way->signature->candidates[way->candidate]; path != known.path) {
    known.path = path;
    known.row = nullptr;
  }
  known.imposed = way->signature->candidates.is_imposed();
  known.post = way->exchange->brief_post(reduction.data(facts));
}

/// The root's part of a call to which the others have given so many bytes, fewer than it has: of those.
int take_shorter(const ReduceCall& reduction, std::uint64_t bytes, CommunicatorState& state) {
  const std::uint64_t element_bytes = payload_bytes(1, reduction.type());
  const ReduceCall shorter = reduction.of(static_cast<MPI_Count>(bytes / element_bytes));
  const LocalFacts facts = facts_of_posted(shorter, bytes);
  const std::optional<PostedReduction> way = bytes % element_bytes == 0 ? posted(shorter, facts, state) : std::nullopt;
  if (way) return post(shorter, facts, state, *way, &PostedExchange::end_brief_post);
  state.resources.contributions()->done();
  return raise_own(state, MPI_ERR_TRUNCATE);
}

PostedReduction way_of(const Shortcut& known) {
  return {.signature = known.signature, .candidate = known.candidate, .exchange = known.posted};
}

}  // namespace

std::optional<int> run_posted_reduction(const CollectiveCall& reduction, std::uint64_t bytes,
                                        CommunicatorState& state) {
  const LocalFacts facts = facts_of_posted(reduction, bytes);
  const std::optional<PostedReduction> way = posted(reduction, facts, state);
  if (!way) return std::nullopt;
  const int error = post(reduction, facts, state, *way);
  remember_posted(reduction, facts, state, *way->signature, way->candidate);
  return error;
}

std::optional<int> run_posted_reduction(const CollectiveCall& reduction, CommunicatorState& state, Shortcut& known) {
  if (known.posted_checked_at != state.looked_at) look_whether_posted(reduction, state, known);
  if (known.posted == nullptr || !is_still_carried(known)) return std::nullopt;
  return post(reduction, known.facts, state, way_of(known));
}

std::optional<int> run_as_shorter_reduction(const ReduceCall& reduction, CommunicatorState& state) {
  using Where = ContributionRing::Where;
  ContributionRing& ring = *state.resources.contributions();
  HostMeeting& meeting = state.resources.host.made->meeting();
  const int other = (state.rank + 1) % state.size;  // as all others, unless those differ too
  Where where = Where::nowhere_yet;
  const auto has_come = [&] { return (where = ring.look_ahead(other)) != Where::nowhere_yet; };
  if (!meeting.wait_until(other, has_come)) return raise_failure(meeting, state.comm);
  if (where == Where::passed) return std::nullopt;
  ring.next(state.rank);
  return take_shorter(reduction, ring.bytes_from(other), state);
}

int end_posted_reduction(const CollectiveCall& reduction, CommunicatorState& state, const Shortcut& known) {
  return post(reduction, known.facts, state, way_of(known), &PostedExchange::end_brief_post);
}

}  // namespace airamp::pmpi
