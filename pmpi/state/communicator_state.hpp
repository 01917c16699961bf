// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fibonacci_hash.hpp"
#include "base/recent_samples.hpp"
#include "core/explanation.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/ghost_policy.hpp"
#include "pmpi/group/communicator_resources.hpp"
#include "pmpi/group/times_agreement.hpp"
#include "pmpi/state/posted_signatures.hpp"
#include "pmpi/state/shortcuts.hpp"
#include "pmpi/state/started/started_forms.hpp"
#include "pola/arrival.hpp"
#include "pola/stream.hpp"
#include "telemetry/close_call_counter.hpp"
#include "telemetry/report.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "tuner/agreement_gate.hpp"
#include "tuner/signature_tuner.hpp"
#include "tuner/waiting_account.hpp"

namespace airamp::pmpi {

class ObservedCall;
struct CommunicatorState;

/// States and who owns them.
using CommunicatorStates = std::list<std::unique_ptr<CommunicatorState>>;

/// What the info keys of a communicator ask for; agreed by all its ranks in MPI_Comm_set_info.
struct CommunicatorPolicy {
  std::optional<bool> compress;              ///< airamp_compress
  std::optional<double> max_relative_error;  ///< airamp_max_relative_error
  std::optional<bool> pola;                  ///< airamp_pola
  std::optional<config::Force> force;        ///< airamp_force
  bool operator==(const CommunicatorPolicy&) const = default;
};

/// Calls of one kind and size that went native by agreement or need, and why.
struct NativeCalls {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
};

/// One signature on one communicator: the decision, the plan and what came of them.
struct SignatureState {
  SignatureState(const tuner::TuningRules& rules, const CandidateList& candidate_list)
      : candidates(candidate_list), tuner(rules, candidate_list.size()) {}

  /// Frees the plan; it can be acquired again.
  void release();

  /// Goes on from what has been decided on another communicator; before the first call.
  void start_from(const tuner::SignatureTuner& known);
  /// How long it pays to wait for room on a GPU: a part of what the native call takes; NaN if that is not known.
  double patience_seconds() const { return 0.1 * native_seconds.median(); }

  /// Whether nothing of AIRamp's could be acquired: its calls stay native.
  bool not_acquired() const { return !why_not_acquired.empty(); }

  /// Why its calls take the path that they take.
  Explanation why() const;

  /// Forgets the decision and gives the plan back; the figures stay.
  void start_again(const tuner::TuningRules& rules, const CandidateList& candidate_list);

  CandidateList candidates;  ///< the candidates, in the tuner's order
  tuner::SignatureTuner tuner;
  std::uint64_t calls = 0;  // this and the next two beside what the tuner counts: every call counts here
  std::uint64_t bytes = 0;
  std::uint64_t accelerated_calls = 0;
  std::array<std::unique_ptr<Algorithm>, algorithm_count>
      algorithms;                                ///< by candidate; empty: not acquired, or given back
  std::array<bool, algorithm_count> given_up{};  ///< by candidate: it is not acquired again
  std::size_t imposed_choice = 0;                ///< of imposed candidates the one that was acquired
  std::optional<int> tag;                        ///< agreed: of its algorithm over MPI
  bool acquired = false;
  int failure = MPI_SUCCESS;  ///< the error with which its communication failed: it is final
  bool outdated = false;      ///< decided under another policy: to be decided anew
  std::string why_not_acquired;

  std::uint64_t piggybacked_calls = 0;  ///< of the accelerated ones
  std::uint64_t vetoed_calls = 0;       ///< expected, but some rank did not consent
  std::uint64_t tuning_calls = 0;
  double tuning_seconds = 0;  ///< beyond the native call
  base::RecentSamples<> native_seconds;
  base::RecentSamples<8> own_native_seconds;  ///< of calls that all begin at once, on this rank
  base::RecentSamples<> airamp_seconds;
};

/// A signature, as far as it is looked up on one communicator.
struct SignatureKey {
  Kind kind;
  unsigned bucket;
  DataType type;
  ReduceOp op;
  Memory memory;
  bool lossy;
  bool lossless;
  auto operator<=>(const SignatureKey&) const = default;
};

/// Calls that share an agreement gate; made of what MPI guarantees equal on all ranks.
struct GateKey {
  Kind kind;
  unsigned bucket;
  std::uint64_t equal_arguments;
  auto operator<=>(const GateKey&) const = default;
};

/// What the ranks have found out about the calls of one gate.
struct GatedCalls {
  // what every call looks at, in as few cache lines as there can be
  tuner::AgreementGate gate;
  unsigned closed_meetings = 0;   ///< agreements for which some rank came too late, of late
  tuner::WaitingAccount waiting;  ///< of this rank

  tuner::AgreementGate asking;         ///< whether the ranks ask along with their data: less often after each veto
  std::optional<SignatureKey> agreed;  ///< what the latest of them was, if all ranks were for it
  std::uint64_t trials = 0;            ///< of operations, on samples of these calls
  std::uint64_t meetings = 0;          ///< those that took place, since the first that did not
  std::uint64_t posted_meanwhile = 0;  ///< at this rank as a root: though their decision is to be looked at again
};

/// What was not eligible, for the report.
struct RefusalKey {
  Kind kind;
  unsigned bucket;
  std::string element;
  std::string op;
  Reason why;
  auto operator<=>(const RefusalKey&) const = default;
};

/// What PoLA has yet to learn from the call in flight.
struct PatternLesson {
  enum class Progress { none, waiting, learned, failed };
  Progress progress = Progress::none;
  pola::Signature signature{};
  pola::Stream::State before{};  ///< PoLA's state when the call came
};

/// Everything that AIRamp knows of one communicator. Hangs on it as an attribute and ends with it. Used by one thread
/// at a time, as MPI demands of the collectives of one communicator.
struct alignas(64) CommunicatorState {
  CommunicatorState();

  // what every call needs, together
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;
  bool inter = false;
  bool foreign = false;     ///< some member is of another MPI_COMM_WORLD, which has settings of its own or no AIRamp
  bool introduced = false;  ///< to those who look
  bool looked_at_by_pola = false;        ///< since something was acquired that does better where the next call is known
  bool posts_no_reductions = false;      ///< some rank did not want any of AIRamp in the latest agreement
  ObservedCall* call = nullptr;          ///< the one in flight, if somebody looks at it
  std::unique_ptr<Shortcuts> shortcuts;  ///< from the first on
  std::uint64_t looked_at = 1;           ///< from 1 on; another after each call that was asked about: what was found
                                         ///< of calls before may have changed
  double waiting_seconds = 0;            ///< summed: for the others in agreements, this rank having come
  std::uint64_t calls_for_shared_memory = 0;  ///< that it might have carried, until there are enough
  telemetry::Flight flight;                   ///< as what `call` is published, or one whose error handler jumped away
  telemetry::CommunicatorSlot published;      ///< as what
  telemetry::CloseCallCounter close_calls;    ///< of short allreduces, of those that are published
  PostedKinds posted_by_root;
  std::uint64_t shortest_posted_reduction = std::numeric_limits<std::uint64_t>::max();  ///< bytes: none is shorter
  std::unique_ptr<StartedForms> started;  ///< from the first nonblocking or persistent call on

  CommunicatorStates::iterator place;  ///< in the list that owns it
  CommunicatorPolicy policy;
  CommunicatorResources resources;  // before `signatures`: the algorithms' requests go first
  pola::Stream pola;                ///< of the calls that may be accelerated
  PatternLesson lesson;
  std::uint64_t members = 0;                                      ///< a number for who they are; 0: nobody has asked
  std::vector<telemetry::Report::PatternChange> pattern_changes;  ///< the first of them
  pola::ArrivalForecast arrivals;
  std::unique_ptr<GhostPolicy> ghosts;  ///< from the first collective on GPU memory on, if ghosts are wanted
  double lateness_seconds = 0;          ///< summed: later than expected
  std::map<GateKey, GatedCalls> gates;
  std::pair<const GateKey, GatedCalls>* latest_gate = nullptr;  ///< of those; programs often make a call again
  std::map<SignatureKey, SignatureState> signatures;
  TimesAgreement times;  ///< of measured calls
  std::map<RefusalKey, NativeCalls> refusals;
  std::optional<std::uint32_t> trace_number;  ///< this rank's own, from its first call in a trace on

  /// Forgets what was agreed under another policy. On all ranks after the same call.
  void forget_agreements();

  /// Revokes our communicators beside it, as it was revoked itself. Local.
  void revoke();

  /// Gives up what is held on GPUs, so that it is acquired anew; what was lost is forgotten. On all ranks after the
  /// same call.
  void forget_gpus();

  /// Gives back requests, scratch and the private communicator; the figures stay. Must run before MPI_Finalize.
  /// Collective if there is a `ccl`.
  void release_resources();
};

/// Creates the attribute. Called once in MPI_Init.
void initialise_communicator_states();

/// The state of `comm`, made on the first call. Thread-safe. nullptr if there is no memory, if MPI refuses, or while
/// the communicator is being freed. MPI may raise an error.
CommunicatorState* communicator_state(MPI_Comm comm);

/// The same of a communicator that has one already.
CommunicatorState* find_communicator_state(MPI_Comm comm);

/// What a thread looked up of late, by handle: most programs go on with a few communicators that they used before.
/// Handles are used again only after a communicator was freed.
struct alignas(32) LatestCommunicator {
  MPI_Comm comm;
  std::uint64_t freed_before;
  CommunicatorState* state;
};
using LatestCommunicators = std::array<LatestCommunicator, 8>;
[[gnu::tls_model("initial-exec")]] extern constinit thread_local LatestCommunicators latest_communicators;

/// Where a communicator is to be found there.
inline std::size_t place_of(MPI_Comm comm) noexcept {
  return base::place_by_hash<std::tuple_size_v<LatestCommunicators>>(bits_of(comm));
}

/// How many were freed.
extern std::atomic<std::uint64_t> freed_communicators;

/// The same if this thread has asked for that state and, since, for no other in its place; else nullptr. No question to
/// MPI. Inline, for every call asks: at its begin, before a user-level thread may have come to another thread of the
/// system.
inline CommunicatorState* latest_communicator_state(MPI_Comm comm) noexcept {
  const std::uint64_t now = freed_communicators.load(std::memory_order_acquire);
  const LatestCommunicator& latest = latest_communicators[place_of(comm)];
  return latest.comm == comm && latest.freed_before == now ? latest.state : nullptr;
}

/// Ends the state of `comm`, if there is one, as freeing it would. Collective over `comm`. MPI may raise an error,
/// whose code is returned.
int end_communicator_state(MPI_Comm comm);

/// Visits the states of all live communicators, with their names, and without a name those in which the figures of
/// freed ones are added up. Only from MPI_Finalize.
void for_each_communicator_state(void (*visit)(void* context, const std::string& name, const CommunicatorState& state),
                                 void* context);

/// What PoLA learnt of the first of those that were freed. Only from MPI_Finalize.
const std::vector<telemetry::Report::Pattern>& patterns_of_freed_communicators();

/// Gives back what all live states hold; there are none any more. Called in MPI_Finalize, before the real one.
void release_communicator_states();

}  // namespace airamp::pmpi
