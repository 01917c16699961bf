// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/shortcut.hpp"

#include <memory>
#include <new>

#include "pmpi/algorithm/staged_exchange.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/local_facts.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/decide/unsynchronized_call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/types/op_info.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {
namespace {

/// Where PoLA learns from every call, calls are looked at.
bool are_allowed(const CommunicatorState& state) { return !state.looked_at_by_pola; }

bool is_predefined(MPI_Datatype type) { return type == MPI_DATATYPE_NULL || find_predefined_datatype(type) != nullptr; }

bool is_lasting(const CallArguments& arguments) {
  return is_predefined(arguments.type) && is_predefined(arguments.sendtype) &&
         (arguments.op == MPI_OP_NULL || is_predefined_op(arguments.op));
}

/// Whether a look at the call would find that its agreement is to be its exchange once more, as ranks find that have no
/// shortcut: all agreed on the calls before it, and the signature's calls still go by the candidate.
bool is_carried(const CommunicatorState& state, const Shortcut& known) {
  if (known.signature == nullptr || !known.gated->agreed) return false;
  SignatureKey agreed = *known.gated->agreed;
  const SignatureKey own = signature_key_of(known.arguments.kind, known.facts);
  agreed.bucket = own.bucket;  // of some kinds all lengths share a gate
  return agreed == own && ready_candidate(*known.signature) == known.candidate && !state.resources.has_lost_gpu();
}

}  // namespace

const Shortcut* shortcut_of(const Call& call) noexcept {
  if (!are_allowed(call.state) || call.state.shortcuts == nullptr) return nullptr;
  const std::optional<CallArguments> arguments = call.collective.arguments();
  return arguments ? call.state.shortcuts->find(*arguments) : nullptr;
}

bool exchange_again(Call& call, const Shortcut& known) {
  CommunicatorState& state = call.state;
  HostMeeting* const meeting = state.resources.meeting();
  if (!is_carried(state, known) || meeting == nullptr || !job().wanted.load(std::memory_order_relaxed)) return false;
  look_at_buffers(call);
  if (call.facts.memory != known.facts.memory) return false;
  call.facts = known.facts;
  stage(call, {.signature = known.signature, .candidate = known.candidate, .facts = known.facts});
  if (!call.staged) return false;
  mark_stage(state, telemetry::Stage::agreement);
  const std::optional<HostMeeting::Patience> patience = patience_in(call);
  meeting->arrive(known.word, 0, patience ? &*patience : nullptr);
  call.has_arrived = true;
  if (!meeting->all_say(known.word)) return false;
  state.waiting_seconds += meeting->waited_seconds();
  publisher().add(telemetry::layout::Counter::agreements, 1);
  return true;
}

void remember_shortcut(const Call& call, SignatureState* signature, std::size_t candidate) {
  if (!are_allowed(call.state)) return;
  const std::optional<CallArguments> arguments = call.collective.arguments();
  if (!arguments || !is_lasting(*arguments)) return;
  std::unique_ptr<Shortcuts>& shortcuts = call.state.shortcuts;
  if (shortcuts == nullptr) shortcuts.reset(new (std::nothrow) Shortcuts);
  if (shortcuts == nullptr) return;  // without memory the next call is looked at as well
  shortcuts->remember({.arguments = *arguments,
                       .gated = call.gated,
                       .signature = signature,
                       .candidate = candidate,
                       .facts = call.facts,
                       .word = word_of({.facts = call.facts})});
}

}  // namespace airamp::pmpi
