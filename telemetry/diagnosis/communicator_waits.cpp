// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/communicator_waits.hpp"

#include <algorithm>

namespace airamp::telemetry {
namespace {

using Waits = std::map<std::uint64_t, CommunicatorWait>;

/// The communicator of a flight; nullptr for the entry that several share, whose sequence numbers mean nothing.
const RankSnapshot::Communicator* communicator_of(const RankSnapshot& rank, const RankSnapshot::Flight& flight) {
  const RankSnapshot::Communicator& communicator = rank.communicators[flight.communicator];
  return communicator.key == 0 ? nullptr : &communicator;
}

/// Communicators that ranks wait in, and the first sequence number.
Waits first_sequences(const std::vector<RankSnapshot>& ranks, const std::set<int>& unable) {
  Waits waits;
  for (const RankSnapshot& rank : ranks) {
    if (unable.contains(rank.rank)) continue;
    for (const RankSnapshot::Flight& flight : rank.flights) {
      const auto* communicator = communicator_of(rank, flight);
      if (communicator == nullptr || flight.left_seconds != 0) continue;
      const auto [wait, added] = waits.try_emplace(communicator->key);
      if (added || flight.sequence < wait->second.sequence) wait->second.sequence = flight.sequence;
      wait->second.key = communicator->key;
      wait->second.name = communicator->name;
      wait->second.size = communicator->size;
    }
  }
  return waits;
}

void add_calls(const RankSnapshot& rank, bool waits_there, Waits& waits) {
  for (const RankSnapshot::Communicator& communicator : rank.communicators) {
    if (const auto wait = waits.find(communicator.key); wait != waits.end()) {
      wait->second.entered[rank.rank] = communicator.collectives;
    }
  }
  for (const RankSnapshot::Flight& flight : rank.flights) {
    const auto* communicator = communicator_of(rank, flight);
    const auto found = communicator == nullptr ? waits.end() : waits.find(communicator->key);
    if (found == waits.end() || found->second.sequence != flight.sequence) continue;
    CommunicatorWait& wait = found->second;
    wait.called[rank.rank] = flight.function;
    if (flight.left_seconds != 0 || !waits_there) continue;
    if (wait.inside.empty() || flight.entered_seconds < wait.since_seconds) wait.since_seconds = flight.entered_seconds;
    wait.inside[rank.rank] = flight.function;
  }
}

void add_missing(const std::vector<RankSnapshot>& ranks, CommunicatorWait& wait) {
  for (const auto& [rank, entered] : wait.entered) {
    if (entered < wait.sequence) wait.missing.push_back(rank);
  }
  wait.unknown_members = std::max(0, wait.size - static_cast<int>(wait.entered.size()));
  const int unknown_ranks = std::max(0, ranks.front().size - static_cast<int>(ranks.size()));
  wait.missing_candidates = wait.unknown_members - unknown_ranks;
  if (wait.missing_candidates <= 0) {
    wait.missing_candidates = 0;
    return;
  }
  for (const RankSnapshot& rank : ranks) {
    if (!wait.entered.contains(rank.rank)) wait.candidates.push_back(rank.rank);
  }
  // No choice is left: these are they.
  if (static_cast<int>(wait.candidates.size()) > wait.missing_candidates) return;
  wait.missing.insert(wait.missing.end(), wait.candidates.begin(), wait.candidates.end());
  std::sort(wait.missing.begin(), wait.missing.end());
  wait.candidates.clear();
  wait.missing_candidates = 0;
}

}  // namespace

std::map<std::uint64_t, CommunicatorWait> communicator_waits(const std::vector<RankSnapshot>& ranks,
                                                             const std::set<int>& unable) {
  Waits waits = first_sequences(ranks, unable);
  for (const RankSnapshot& rank : ranks) add_calls(rank, !unable.contains(rank.rank), waits);
  for (auto& [key, wait] : waits) add_missing(ranks, wait);
  return waits;
}

}  // namespace airamp::telemetry
