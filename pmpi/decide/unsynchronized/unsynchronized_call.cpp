// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "pmpi/call/promised_order.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "pmpi/state/communicator_policy.hpp"

namespace airamp::pmpi {
namespace {

/// Some times what a short call takes, and about what a long one takes.
double usual_patience_seconds(std::uint64_t bytes) { return 50e-6 + 1e-9 * static_cast<double>(bytes); }

/// Which take as long as a message without any.
constexpr std::uint64_t bytes_like_a_message = 1024;

/// What a call moves after each other, as far as this rank knows: its vector, or the root's blocks, of which it has one
/// for each rank; of a scan, in which natively every rank waits for the one below it, the vectors of all with a message
/// each. At twice the rate of the patience above, which is that of additions.
std::uint64_t bytes_in_turn(Kind kind, int ranks, std::uint64_t bytes) {
  const auto half_of_the_ranks = static_cast<std::uint64_t>(std::max(ranks / 2, 1));
  switch (kind) {
    case Kind::gather:
    case Kind::gatherv:
    case Kind::scatter:
      return bytes * half_of_the_ranks;
    case Kind::scatterv:
      return bytes / 2;
    case Kind::scan:
    case Kind::exscan:
      return (bytes + bytes_like_a_message) * half_of_the_ranks;
    default:
      return bytes;
  }
}

/// What the quickest call takes in which all ranks meet: about what was measured on 2 to 32 cores of one processor.
constexpr double seconds_of_a_meeting = 0.1e-6;
constexpr double seconds_of_a_rank = 0.03e-6;

/// Where calls are to be carried whatever they cost.
constexpr double imposed_patience_seconds = 0.5;

/// Each pause is twice as long as the one before it.
constexpr std::uint64_t longest_pause = 4096;
constexpr unsigned most_doublings = 8;
constexpr std::uint64_t meetings_for_a_closed_one = 64;

}  // namespace

bool is_unsynchronized(Kind kind) { return data_flow_of(kind) != DataFlow::all_to_all && !may_order_be_promised(kind); }

Result<bool> may_unsynchronized_be_asked_about(CommunicatorState& state, GatedCalls& gated) {
  if (state.resources.meeting() != nullptr) return !stays_shut(state, gated);
  if (imposed_algorithm(state)) return true;
  if (state.size > HostMeeting::max_ranks || state.size > job().max_ranks_on_host) return false;
  const Result<bool> begins =
      state.resources.unhurried.begins(state.comm, state.rank, state.size, !gated.waiting.rests());
  if (begins.ok() && !*begins) count_native(gated);
  return begins;
}

double patience_seconds(const CommunicatorState& state, std::uint64_t bytes) {
  const double usual = usual_patience_seconds(bytes);
  return imposed_algorithm(state) ? std::max(imposed_patience_seconds, usual) : usual;
}

std::optional<HostMeeting::Patience> patience_in(const CollectiveCall& collective, const CommunicatorState& state,
                                                 std::uint64_t bytes) {
  const Kind kind = collective.kind();
  if (!is_unsynchronized(kind) || state.resources.meeting() == nullptr) return std::nullopt;
  const DataFlow flow = data_flow_of(kind);
  const int root = collective.root();
  const bool is_root = state.rank == root;
  if ((flow == DataFlow::all_to_root && is_root) || collective.waits_for_all()) {
    return HostMeeting::Patience{.seconds = std::numeric_limits<double>::infinity()};
  }
  const bool waits_for_root = flow == DataFlow::root_to_all && !is_root && root >= 0 && root < state.size;
  return HostMeeting::Patience{.seconds = patience_seconds(state, bytes_in_turn(kind, state.size, bytes)),
                               .first = waits_for_root ? root : -1};
}

double least_step_seconds(Kind kind, int ranks) {
  const bool all_meet = is_prefix(kind) || kind == Kind::gather || kind == Kind::gatherv;
  return all_meet ? seconds_of_a_meeting + seconds_of_a_rank * ranks : 0;
}

void pause_agreements(GatedCalls& gated) {
  gated.waiting.close(Stopwatch::clock_seconds());
  gated.gate.pause(std::min(job().review_windows.first_pause << gated.closed_meetings, longest_pause));
  gated.closed_meetings = std::min(gated.closed_meetings + 1, most_doublings);
}

void count_native_step(GatedCalls& gated) { gated.waiting.count_native(&Stopwatch::clock_seconds); }

void count_carried_meeting(GatedCalls& gated, double gain_seconds, const HostMeeting& meeting) {
  gated.waiting.count(gain_seconds, meeting.held_up_seconds(), &Stopwatch::clock_seconds);
  count_meeting(gated);
}

void count_meeting(GatedCalls& gated) {
  if (gated.closed_meetings == 0) return;
  if (++gated.meetings % meetings_for_a_closed_one == 0) --gated.closed_meetings;
}

}  // namespace airamp::pmpi
