// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/repeated_call.hpp"

#include <new>

#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/decide/call.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/local_facts.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/decide/unsynchronized/posted_reduction.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/observed_call.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {
namespace {

/// Whether a look at the call would find that its agreement is to be its exchange once more, as ranks find that have no
/// shortcut: all agreed on the calls before it, and the signature's calls still go by the candidate. Its algorithm may
/// have been given back since, and acquired anew.
[[gnu::noinline]] bool is_carried(const CommunicatorState& state, Shortcut& known) {
  if (known.exchange == nullptr || !known.gated->agreed) return false;
  SignatureKey agreed = *known.gated->agreed;
  SignatureKey own = signature_key_of(known.arguments.kind, known.facts);
  if (has_blocks_of_any_length(known.arguments.kind)) {
    own.bucket = size_bucket(known.longest_stream);
  } else {
    agreed.bucket = own.bucket;  // of some kinds all lengths share a gate
  }
  if (agreed != own || ready_candidate(*known.signature) != known.candidate || state.resources.has_lost_gpu()) {
    return false;
  }
  known.exchange = known.signature->algorithms[known.candidate]->staged_exchange();
  return known.exchange != nullptr;
}

/// What a look at an exchange finds of this rank's blocks: bytes of its stream, and how long it waits for the others;
/// nothing if shared memory cannot carry them.
struct OwnStream {
  std::uint64_t bytes;
  std::optional<HostMeeting::Patience> patience;
};

std::optional<OwnStream> look_at_stream(const CollectiveCall& collective, const CommunicatorState& state) {
  const LocalFacts facts = collective.facts({.lossless = true});
  if (!facts.lossless) return std::nullopt;
  return OwnStream{.bytes = facts.bytes, .patience = patience_in(collective, state, facts.bytes)};
}

}  // namespace

std::optional<int> repeat(const CollectiveCall& collective, CommunicatorState& state, Shortcut& known,
                          std::optional<CollectiveData>& staged) {
  if (known.checked_at != state.looked_at) [[unlikely]] {
    if (!opens(*known.gated)) {
      pass_by(state);
      return collective.run_native();
    }
    if (known.unsynchronized) {
      const Result<bool> may_be_asked = may_unsynchronized_be_asked_about(state, *known.gated);
      if (!may_be_asked.ok()) return may_be_asked.error();
      if (!*may_be_asked) {
        pass_by(state);
        return collective.run_native();
      }
    }
    if (!is_carried(state, known)) return std::nullopt;
    known.meeting = state.resources.host_meeting();
  } else if (!is_still_carried(known)) {
    return std::nullopt;
  }
  HostMeeting* const meeting = known.meeting;
  const Job& j = job();
  if (meeting == nullptr || meeting->was_closed() || !j.wanted.load(std::memory_order_relaxed)) return std::nullopt;
  if (j.gpus && (!lies_on_host(collective, state) || state.resources.has_lost_gpu())) return std::nullopt;
  const bool has_any_length = has_blocks_of_any_length(known.arguments.kind);
  std::optional<OwnStream> own;
  if (has_any_length && !(own = look_at_stream(collective, state))) return std::nullopt;
  std::optional<HostMeeting::Patience> patience = has_any_length         ? own->patience
                                                  : known.unsynchronized ? std::optional(known.patience)
                                                                         : std::nullopt;
  if (patience) patience = learned_patience(*patience, *known.gated, known.imposed);
  try {
    staged.emplace(collective.data(known.facts));
  } catch (const std::bad_alloc&) {  // a look at the call tells the others
    return std::nullopt;
  }
  if (!is_well_packed(*staged) || !known.exchange->stage(*staged)) {
    staged.reset();
    return std::nullopt;
  }
  mark_exchange(state, known.path);
  meeting->arrive(known.word, own ? own->bytes : 0, patience ? &*patience : nullptr);
  if (!meeting->all_say(known.word)) return std::nullopt;
  if (has_any_length && !is_as_long(*meeting, known)) return std::nullopt;
  if (known.checked_at != state.looked_at) {
    known.gated->gate.keep_asking();
    known.checked_at = state.looked_at;
    known.brief = known.exchange->brief_exchange(*staged);
    known.brief.in_place = known.arguments.in_place;
  }
  if (known.unsynchronized) count_carried_meeting(*known.gated, known.gain_seconds, *meeting);
  if (state.posts_no_reductions) [[unlikely]]
    post_reductions_again(state);
  state.waiting_seconds += meeting->waited_seconds();
  publisher().add(telemetry::layout::Counter::agreements, 1);
  return finish_staged(state, *known.signature, *known.exchange, *staged, known.facts.bytes);
}

}  // namespace airamp::pmpi
