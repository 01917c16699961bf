// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/not_running.hpp"

#include <algorithm>
#include <utility>

#include "telemetry/diagnosis/last_calls.hpp"
#include "telemetry/diagnosis/last_sign.hpp"
#include "telemetry/diagnosis/rank_list.hpp"
#include "telemetry/segment/rank_state.hpp"

namespace airamp::telemetry {
namespace {

using Kind = HangReport::Kind;

/// Of the rank that was quiet for the shortest time: so long none of them has ended a collective.
double shortest_quiet(const std::vector<int>& ranks, const KnownRanks& known) {
  double shortest = quiet_seconds(*known.at(ranks.front()));
  for (int rank : ranks) shortest = std::min(shortest, quiet_seconds(*known.at(rank)));
  return shortest;
}

/// "rank 1 (...): no collective ended for 12.3 s".
std::string no_collective_ended(const std::vector<int>& ranks, const KnownRanks& known) {
  std::string names = describe_ranks(ranks, known, false);
  // Many ranks are listed without what is known of each.
  const RankState state = rank_state(*known.at(ranks.front()));
  if (names == rank_list(ranks)) names += " (" + std::string(to_string(state)) + ")";
  return names + ": no collective ended for " + duration_text(shortest_quiet(ranks, known));
}

std::string last_collective(const RankSnapshot& rank) {
  if (const RankSnapshot::Flight* flight = oldest_unfinished(rank)) return "it is in " + call_text(rank, *flight);
  if (const RankSnapshot::Flight* flight = last_ended(rank)) return "its last one was " + call_text(rank, *flight);
  return "it has entered none";
}

/// Where a rank was when it was heard of last: "in MPI_Allreduce number 21 on ...".
std::string place_text(const RankSnapshot& rank) {
  if (const RankSnapshot::Flight* flight = oldest_unfinished(rank)) return "in " + call_text(rank, *flight);
  if (const RankSnapshot::Flight* flight = last_ended(rank)) return "after " + call_text(rank, *flight);
  return "before its first collective";
}

/// "... UTC (rank 1, in MPI_Allreduce number 21 on ...)".
std::string sign_text(const RankSnapshot& rank) {
  return time_of_day(last_sign(rank), true) + " (rank " + std::to_string(rank.rank) + ", " + place_text(rank) + ")";
}

}  // namespace

bool does_not_run(const RankSnapshot& rank, double patience_seconds) {
  switch (rank_state(rank)) {
    case RankState::gone:
    case RankState::frozen:
      return true;
    case RankState::stopped:
      return rank.process_state == 'T' || quiet_seconds(rank) >= patience_seconds;
    case RankState::swapped_out:
      return quiet_seconds(rank) >= patience_seconds;
    case RankState::running:
    case RankState::finalized:
    case RankState::unknown:
      break;
  }
  return false;
}

HangReport::Finding not_running(std::vector<int> ranks, const KnownRanks& known) {
  HangReport::Finding finding{.kind = Kind::not_running};
  finding.quiet_seconds = shortest_quiet(ranks, known);
  finding.text = no_collective_ended(ranks, known);
  if (ranks.size() == 1) finding.text += ", " + last_collective(*known.at(ranks.front()));
  finding.culprits = std::move(ranks);
  return finding;
}

HangReport::Finding not_finalized(std::vector<int> ranks, const KnownRanks& known) {
  HangReport::Finding finding{.kind = Kind::not_running};
  const auto [first, last] = std::ranges::minmax(ranks, {}, [&](int rank) { return last_sign(*known.at(rank)); });
  if (ranks.size() == 1) {
    finding.text = describe_rank(first, known, false) + " has not called MPI_Finalize; its last sign was at " +
                   time_of_day(last_sign(*known.at(first)), true) + ", " + place_text(*known.at(first));
  } else {
    finding.text = rank_list(ranks) + " are gone and have not called MPI_Finalize; their last signs were from " +
                   sign_text(*known.at(first)) + " to " + sign_text(*known.at(last));
  }
  finding.culprits = std::move(ranks);
  return finding;
}

std::string quiet_text(const std::vector<int>& ranks, const KnownRanks& known) {
  return no_collective_ended(ranks, known) + (ranks.size() == 1 ? "; it" : "; they") +
         " may compute, or wait for messages between single ranks";
}

}  // namespace airamp::telemetry
