// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/communicator_state.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/asked_by_every_call.hpp"
#include "pmpi/device/gpu_turn.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/world_ranks.hpp"
#include "pmpi/state/being_freed.hpp"
#include "pmpi/state/freed_communicators.hpp"
#include "pmpi/state/known_tunings.hpp"
#include "pmpi/state/started/started_requests.hpp"

namespace airamp::pmpi {

constinit thread_local LatestCommunicators latest_communicators{};
AIRAMP_ASKED_BY_EVERY_CALL std::atomic<std::uint64_t> freed_communicators{0};

namespace {

struct AllStates {
  int keyval = MPI_KEYVAL_INVALID;
  std::mutex mutex;
  CommunicatorStates live;
  FreedCommunicators freed;
};
constinit ProcessWide<AllStates> all_states;

CommunicatorState* add_to_live(std::unique_ptr<CommunicatorState> state) {
  AllStates& all = *all_states;
  const std::lock_guard lock(all.mutex);
  all.live.push_back(std::move(state));
  CommunicatorState* const added = all.live.back().get();
  added->place = std::prev(all.live.end());
  return added;
}

/// Whether some member is of another MPI_COMM_WORLD. Each side of such a communicator sees the other outside, so all
/// ranks say the same. Nothing if MPI fails.
std::optional<bool> reaches_outside(MPI_Comm comm) {
  Group group;
  if (native().Comm_group(comm, &group.handle) != MPI_SUCCESS) return std::nullopt;
  std::vector<int> members(static_cast<std::size_t>(size_of(group.handle)));
  std::iota(members.begin(), members.end(), 0);
  const std::vector<int> ranks = world_ranks(group.handle, members);
  if (ranks.empty()) return std::nullopt;
  return std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) != ranks.end();
}

CommunicatorState* add_state(MPI_Comm comm) {
  auto state = std::make_unique<CommunicatorState>();
  int inter = 0;
  const Native& mpi = native();
  if (mpi.Comm_rank(comm, &state->rank) != MPI_SUCCESS || mpi.Comm_size(comm, &state->size) != MPI_SUCCESS ||
      mpi.Comm_test_inter(comm, &inter) != MPI_SUCCESS) {
    return nullptr;
  }
  state->inter = inter != 0;
  if (!state->inter && worlds_may_mix.load()) {
    const std::optional<bool> foreign = reaches_outside(comm);
    if (!foreign) return nullptr;
    state->foreign = *foreign;
  }
  return add_to_live(std::move(state));
}

/// MPI calls this when the communicator is freed.
int on_delete(MPI_Comm, int, void* attribute, void*) {
  auto* state = static_cast<CommunicatorState*>(attribute);
  freed_communicators.fetch_add(1, std::memory_order_release);
  state->release_resources();
  GpuTurn::release(state);
  if (state->introduced) publisher().free_communicator(state->published);
  AllStates& all = *all_states;
  const std::lock_guard lock(all.mutex);
  all.freed.add(all.live, state->place);
  return MPI_SUCCESS;
}

/// A duplicate inherits what the info keys of its original asked for, and nothing else.
int on_copy(MPI_Comm, int, void*, void* attribute, void* copied, int* flag) {
  const auto& original = *static_cast<CommunicatorState*>(attribute);
  *flag = 0;
  if (original.policy == CommunicatorPolicy{}) return MPI_SUCCESS;
  try {
    auto state = std::make_unique<CommunicatorState>();
    state->rank = original.rank;
    state->size = original.size;
    state->inter = original.inter;
    state->foreign = original.foreign;
    state->policy = original.policy;
    *static_cast<void**>(copied) = add_to_live(std::move(state));
    *flag = 1;
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
  return MPI_SUCCESS;
}

/// The state that hangs on `comm`, if there is one. Returns an MPI error code, of an error that MPI has raised.
int find_attached(MPI_Comm comm, CommunicatorState*& state) {
  void* attribute = nullptr;
  int found = 0;
  const int error = native().Comm_get_attr(comm, all_states->keyval, &attribute, &found);
  state = error == MPI_SUCCESS && found != 0 ? static_cast<CommunicatorState*>(attribute) : nullptr;
  return error;
}

CommunicatorState* find_or_add(MPI_Comm comm) {
  if (all_states->keyval == MPI_KEYVAL_INVALID || BeingFreed::includes(comm)) return nullptr;
  CommunicatorState* state = nullptr;
  if (find_attached(comm, state) != MPI_SUCCESS) return nullptr;
  try {
    const bool found = state != nullptr;
    if (!found) state = add_state(comm);
    if (state == nullptr) return nullptr;
    state->comm = comm;
    if (!found && native().Comm_set_attr(comm, all_states->keyval, state) != MPI_SUCCESS) return nullptr;
    return state;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// Not inline: a user-level thread may have come to another thread of the system, whose latest this is.
[[gnu::noinline]] void remember(const LatestCommunicator& found) noexcept {
  latest_communicators[place_of(found.comm)] = found;
}

std::string communicator_name(const CommunicatorState& state) {
  std::array<char, MPI_MAX_OBJECT_NAME + 1> name{};
  int length = 0;
  if (state.comm != MPI_COMM_NULL && native().Comm_get_name(state.comm, name.data(), &length) == MPI_SUCCESS &&
      length > 0) {
    return {name.data(), static_cast<std::size_t>(length)};
  }
  return "unnamed, " + std::to_string(state.size) + " ranks";
}

}  // namespace

CommunicatorState::CommunicatorState()
    : pola({.lock_events = static_cast<std::size_t>(job().settings.pola_lock_events)}) {}

void SignatureState::release() {
  for (std::unique_ptr<Algorithm>& algorithm : algorithms) algorithm.reset();
  acquired = false;
}

void SignatureState::start_from(const tuner::SignatureTuner& known) {
  tuner = known;
  for (std::size_t i = 0; i < candidates.size(); ++i) given_up[i] = known.given_up(i);
}

Explanation SignatureState::why() const {
  if (not_acquired()) return {.reason = Reason::not_acquired, .detail = why_not_acquired};
  if (candidates.is_imposed()) return {.reason = candidates.why_imposed()};
  return tuner.why();
}

void SignatureState::start_again(const tuner::TuningRules& rules, const CandidateList& candidate_list) {
  release();
  given_up.fill(false);
  outdated = false;
  why_not_acquired.clear();
  imposed_choice = 0;
  candidates = candidate_list;
  tuner = tuner::SignatureTuner(rules, candidates.size());
}

void CommunicatorState::revoke() { resources.revoke(); }

void CommunicatorState::forget_gpus() {
  for (auto& [key, signature] : signatures) {
    if (key.memory == Memory::host) continue;
    signature.release();
    signature.outdated = true;
  }
  if (started != nullptr) started->forget_gpus();
  resources.forget_gpus();
}

void CommunicatorState::forget_agreements() {
  ++looked_at;
  latest_gate = nullptr;
  shortcuts.reset();
  posted_by_root = {};
  started.reset();
  gates.clear();
  for (auto& [key, signature] : signatures) signature.outdated = true;
}

void CommunicatorState::release_resources() {
  started_requests().forget(comm);
  started.reset();
  for (auto& [key, signature] : signatures) {
    remember_tuning(*this, key, signature);
    // after a failure its requests may still be active: MPI may yet write to their buffers, so both stay
    for (std::unique_ptr<Algorithm>& algorithm : signature.algorithms) {
      if (signature.failure != MPI_SUCCESS) {
        static_cast<void>(algorithm.release());
      } else {
        algorithm.reset();
      }
    }
    signature.acquired = false;
  }
  times.settle();
  posted_by_root = {};
  if (resources.ccl.made != nullptr) resources.ccl.made->close(comm);
  resources.forget_gpus();
  resources.host.made.reset();
  resources.unhurried.leave();
  resources.private_communicator.free();
}

void initialise_communicator_states() { native().Comm_create_keyval(on_copy, on_delete, &all_states->keyval, nullptr); }

CommunicatorState* communicator_state(MPI_Comm comm) {
  if (CommunicatorState* const state = latest_communicator_state(comm)) return state;
  const std::uint64_t freed_before = freed_communicators.load(std::memory_order_acquire);
  CommunicatorState* const state = find_or_add(comm);
  remember({.comm = comm, .freed_before = freed_before, .state = state});
  return state;
}

CommunicatorState* find_communicator_state(MPI_Comm comm) {
  CommunicatorState* state = nullptr;
  if (all_states->keyval != MPI_KEYVAL_INVALID && !BeingFreed::includes(comm)) find_attached(comm, state);
  return state;
}

int end_communicator_state(MPI_Comm comm) {
  CommunicatorState* state = nullptr;
  const int error = find_attached(comm, state);
  return state != nullptr ? native().Comm_delete_attr(comm, all_states->keyval) : error;
}

void for_each_communicator_state(void (*visit)(void* context, const std::string& name, const CommunicatorState& state),
                                 void* context) {
  AllStates& all = *all_states;
  const std::lock_guard lock(all.mutex);
  for (const auto& state : all.live) visit(context, communicator_name(*state), *state);
  for (const auto& state : all.freed.states()) visit(context, "", *state);
}

const std::vector<telemetry::Report::Pattern>& patterns_of_freed_communicators() {
  return all_states->freed.patterns();
}

void release_communicator_states() {
  started_requests().release();
  AllStates& all = *all_states;
  const std::lock_guard lock(all.mutex);
  // those whose release is collective: in the same order on all ranks, for the order of `live` is each rank's own
  std::vector<CommunicatorState*> collective;
  for (auto& state : all.live) {
    if (state->resources.ccl.made != nullptr) collective.push_back(state.get());
  }
  std::sort(collective.begin(), collective.end(),
            [](const auto* a, const auto* b) { return a->resources.ccl.made->id() < b->resources.ccl.made->id(); });
  for (CommunicatorState* state : collective) state->release_resources();
  all.live.sort(
      [](const auto& a, const auto& b) { return a->resources.order_of_release < b->resources.order_of_release; });
  for (auto& state : all.live) state->release_resources();
  native().Comm_free_keyval(&all.keyval);
}

}  // namespace airamp::pmpi
