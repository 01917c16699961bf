// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/shortcut.hpp"

#include <cmath>
#include <memory>
#include <new>

#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/exchanges/plain_blocks.hpp"
#include "pmpi/decide/admission.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/types/op_info.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {
namespace {

bool is_predefined(MPI_Datatype type) { return type == MPI_Datatype{} || find_predefined_datatype(type) != nullptr; }

/// The same of a type whose elements lie as they are sent: others are packed in each call.
bool is_plain(MPI_Datatype type) { return type == MPI_Datatype{} || plain_element_bytes(type) > 0; }

/// About what a call gains on this rank that goes through one of AIRamp's algorithms; 0 if that is not known. Of a scan
/// the agreed time is that of the last rank, for which natively the first ones do not wait.
double gain_of(Kind kind, const SignatureState& signature) {
  const bool is_own = is_prefix(kind);
  if (is_own ? signature.own_native_seconds.empty() : signature.native_seconds.empty()) return 0;
  if (signature.airamp_seconds.empty()) return 0;
  const double native = is_own ? signature.own_native_seconds.median() : signature.native_seconds.median();
  const double gain = native - signature.airamp_seconds.median();
  return std::isfinite(gain) && gain > 0 ? gain : 0;
}

}  // namespace

bool is_lasting(const CallArguments& arguments) {
  if (arguments.op == MPI_Op{}) return is_plain(arguments.type) && is_plain(arguments.sendtype);
  return is_predefined(arguments.type) &&
         (is_predefined_op(arguments.op) && !reduction_depends_on_values(arguments.type, arguments.op));
}

bool may_have_shortcut(const Call& call) {
  if (call.state.looked_at_by_pola) return false;
  const std::optional<CallArguments> arguments = call.collective.arguments();
  return arguments && is_lasting(*arguments);
}

Shortcut* remember_shortcut(const Call& call, SignatureState* signature, std::size_t candidate) {
  if (!may_have_shortcut(call)) return nullptr;
  // `admit` is to see these on all ranks, whichever of them would find a shortcut
  if (is_counted(call.state, call.collective.kind(), call.bytes)) return nullptr;
  const std::optional<CallArguments> arguments = call.collective.arguments();
  std::unique_ptr<Shortcuts>& shortcuts = call.state.shortcuts;
  if (shortcuts == nullptr) shortcuts.reset(new (std::nothrow) Shortcuts);
  if (shortcuts == nullptr) return nullptr;  // without memory the next call is looked at as well
  const std::optional<HostMeeting::Patience> patience = patience_in(call.collective, call.state, call.facts.bytes);
  Shortcut shortcut{.arguments = *arguments,
                    .word = word_of({.facts = call.facts, .any_length = decides_by_longest(call)}),
                    .signature = signature,
                    .gated = call.gated,
                    .candidate = candidate,
                    .patience = patience.value_or(HostMeeting::Patience{}),
                    .unsynchronized = is_unsynchronized(call.collective.kind()),
                    .longest_stream = decides_by_longest(call) ? call.facts.bytes : 0,
                    .facts = call.facts};
  shortcut.facts.bytes = call.bytes;
  if (signature != nullptr) {
    shortcut.agreed = true;
    shortcut.exchange = signature->algorithms[candidate]->staged_exchange();
    shortcut.posted = signature->algorithms[candidate]->posted_exchange();
    shortcut.path = signature->candidates[candidate];
    shortcut.imposed = signature->candidates.is_imposed();
    if (shortcut.unsynchronized) shortcut.gain_seconds = gain_of(call.collective.kind(), *signature);
  }
  return &shortcuts->remember(shortcut);
}

}  // namespace airamp::pmpi
