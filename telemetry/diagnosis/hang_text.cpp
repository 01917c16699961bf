// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/hang_text.hpp"

#include <set>
#include <vector>

#include "telemetry/diagnosis/last_calls.hpp"
#include "telemetry/diagnosis/rank_list.hpp"

namespace airamp::telemetry {
namespace {

using Kind = HangReport::Kind;

/// What a rank is inside of, for those who wait elsewhere.
std::string whereabouts(int rank, const KnownRanks& ranks) {
  const auto found = ranks.find(rank);
  const RankSnapshot::Flight* flight = found == ranks.end() ? nullptr : oldest_unfinished(*found->second);
  return flight == nullptr ? std::string() : call_text(*found->second, *flight);
}

/// When a job died is not known, and so not how long its ranks waited.
std::string waiting_part(const HangReport::Finding& finding, const CommunicatorWait& wait, bool dead_job) {
  if (dead_job) return rank_list(finding.waiting) + " had been waiting since " + time_of_day(wait.since_seconds);
  return rank_list(finding.waiting) + (finding.waiting.size() == 1 ? " has" : " have") + " been waiting for " +
         duration_text(finding.waited_seconds);
}

}  // namespace

std::string last_call_text(const CommunicatorWait& wait) {
  std::vector<int> ranks;
  for (const auto& [rank, function] : wait.inside) ranks.push_back(rank);
  return rank_list(ranks) + (ranks.size() == 1 ? " was in " : " were in ") +
         call_text(wait.inside.begin()->second, wait.sequence, wait.name) + " since " +
         time_of_day(wait.since_seconds) + "; nobody is known to have been missing";
}

std::string hang_text(const HangReport::Finding& finding, const CommunicatorWait& wait, const KnownRanks& ranks,
                      bool dead_job) {
  const bool one = finding.culprits.size() == 1;
  const std::string has = dead_job ? " had" : one ? " has" : " have";
  const std::string is = dead_job ? (one ? " was" : " were") : (one ? " is" : " are");
  const std::string what = call_text(finding.function, finding.sequence, finding.communicator);
  const std::string culprits = describe_ranks(finding.culprits, ranks, dead_job);
  const std::string waiting = waiting_part(finding, wait, dead_job);
  switch (finding.kind) {
    case Kind::stopped: {
      bool all_missing = true;
      for (int rank : finding.culprits) {
        const auto entered = wait.entered.find(rank);
        if (entered != wait.entered.end() && entered->second >= wait.sequence) all_missing = false;
      }
      if (all_missing) return culprits + has + " not entered " + what + ", where " + waiting;
      return culprits + (one ? " takes" : " take") + " part in " + what + ", where " + waiting;
    }
    case Kind::missing:
      if (!wait.missing.empty()) return culprits + has + " not entered " + what + ", where " + waiting;
      return std::to_string(wait.missing_candidates) + " of " + culprits + (dead_job ? " belonged" : " belong") +
             " there and" + has + " not entered " + what + ", where " + waiting;
    case Kind::different_communicators:
      return culprits + is + " in " + whereabouts(finding.culprits.front(), ranks) + ", and not in " + what +
             ", where " + waiting;
    case Kind::different_functions: {
      std::set<std::string> wrong;
      for (int rank : finding.culprits) wrong.insert(wait.called.at(rank));
      std::string functions;
      for (const std::string& function : wrong) functions += (functions.empty() ? "" : " and ") + function;
      std::string others;
      for (const auto& [rank, function] : wait.called) {
        if (!wrong.contains(function)) others = function;
      }
      return culprits + has + " called " + functions + " as collective number " + std::to_string(finding.sequence) +
             " on '" + finding.communicator + "', the others " + others +
             (finding.waiting.empty() ? "" : "; " + waiting);
    }
    case Kind::not_running:
    case Kind::everybody_inside:
      break;
  }
  if (wait.unknown_members > 0) {
    return "nobody that is known here is missing from " + what + ", where " + waiting +
           "; look at the hosts of the other " + std::to_string(wait.unknown_members) + " of its " +
           std::to_string(wait.size) + " ranks";
  }
  return "nobody is missing from " + what + ", where " + waiting +
         ": look at the network, and at messages between single ranks";
}

}  // namespace airamp::telemetry
