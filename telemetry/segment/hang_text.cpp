// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/hang_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <set>
#include <vector>

#include "telemetry/segment/rank_list.hpp"

namespace airamp::telemetry {
namespace {

using Kind = HangReport::Kind;
using Ranks = std::map<int, const RankSnapshot*>;

constexpr std::size_t most_described = 4;

std::string seconds(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", value);
  return text.data();
}

std::string state_of(const RankSnapshot& rank, bool dead_job) {
  if (rank.finalized) return "has called MPI_Finalize";
  if (dead_job) return "gone like all ranks";
  if (!rank.observable) return "state not known from here";
  if (!rank.alive) return "gone: its process has ended";
  switch (rank.process_state) {
    case 'T':
      return "stopped: state T in /proc";
    case 't':
      return "stopped by a debugger: state t in /proc";
    case 'D':
      return "waiting for I/O: state D in /proc";
    case 'S':
      return "sleeping";
    default:
      return "running";
  }
}

std::string call(const std::string& function, std::uint64_t sequence, const std::string& communicator) {
  return function + " number " + std::to_string(sequence) + " on '" + communicator + "'";
}

/// "rank 3 (...)", "rank 3 (...) and rank 4 (...)", or the bare numbers of many.
std::string describe_ranks(const std::vector<int>& numbers, const Ranks& ranks, bool dead_job) {
  if (numbers.size() > most_described) return rank_list(numbers);
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
    text += describe_rank(numbers[i], ranks, dead_job);
  }
  return text;
}

/// What a rank is inside of, for those who wait elsewhere.
std::string whereabouts(int rank, const Ranks& ranks) {
  const auto found = ranks.find(rank);
  if (found == ranks.end()) return {};
  for (const RankSnapshot::Flight& flight : found->second->flights) {
    if (flight.left_seconds != 0) continue;
    return call(flight.function, flight.sequence, found->second->communicators[flight.communicator].name);
  }
  return {};
}

/// UTC, to be compared with logs.
std::string time_of_day(double since_epoch) {
  const auto time = static_cast<std::time_t>(std::clamp(since_epoch, 0.0, 1e11));
  std::tm parts{};
  std::array<char, 40> text{};
  gmtime_r(&time, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

/// When a job died is not known, and so not how long its ranks waited.
std::string waiting_part(const HangReport::Finding& finding, const CommunicatorWait& wait, bool dead_job) {
  if (dead_job) return rank_list(finding.waiting) + " had been waiting since " + time_of_day(wait.since_seconds);
  return rank_list(finding.waiting) + (finding.waiting.size() == 1 ? " has" : " have") + " been waiting for " +
         seconds(finding.waited_seconds);
}

}  // namespace

std::string describe_rank(int rank, const Ranks& ranks, bool dead_job) {
  std::string text = "rank " + std::to_string(rank);
  const auto found = ranks.find(rank);
  if (found == ranks.end()) return text;
  const RankSnapshot& s = *found->second;
  return text + " (host " + s.host + ", pid " + std::to_string(s.process) + ", " + state_of(s, dead_job) + ")";
}

std::string last_call_text(const CommunicatorWait& wait) {
  std::vector<int> ranks;
  for (const auto& [rank, function] : wait.inside) ranks.push_back(rank);
  return rank_list(ranks) + (ranks.size() == 1 ? " was in " : " were in ") +
         call(wait.inside.begin()->second, wait.sequence, wait.name) + " since " + time_of_day(wait.since_seconds) +
         "; nobody is known to have been missing";
}

std::string hang_text(const HangReport::Finding& finding, const CommunicatorWait& wait, const Ranks& ranks,
                      bool dead_job) {
  const bool one = finding.culprits.size() == 1;
  const std::string has = dead_job ? " had" : one ? " has" : " have";
  const std::string is = dead_job ? (one ? " was" : " were") : (one ? " is" : " are");
  const std::string what = call(finding.function, finding.sequence, finding.communicator);
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
