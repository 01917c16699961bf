// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/hang_analysis.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "telemetry/diagnosis/communicator_waits.hpp"
#include "telemetry/diagnosis/hang_text.hpp"
#include "telemetry/diagnosis/last_calls.hpp"
#include "telemetry/diagnosis/last_sign.hpp"
#include "telemetry/diagnosis/not_running.hpp"
#include "telemetry/segment/rank_state.hpp"

namespace airamp::telemetry {
namespace {

using Finding = HangReport::Finding;
using Kind = HangReport::Kind;
using Waits = std::map<std::uint64_t, CommunicatorWait>;

bool contains(const std::vector<int>& ranks, int rank) { return std::ranges::find(ranks, rank) != ranks.end(); }

class Analysis {
 public:
  Analysis(const std::vector<RankSnapshot>& ranks, double patience) : ranks_(ranks), patience_(patience) {
    report_.dead = std::none_of(ranks.begin(), ranks.end(), [](const RankSnapshot& rank) { return rank.alive; });
    for (const RankSnapshot& rank : ranks) {
      by_rank_[rank.rank] = &rank;
      now_ = std::max(now_, rank.now_seconds);
    }
    if (report_.dead) now_ = last_sign(ranks);
    for (const RankSnapshot& rank : ranks) {
      // In a dead job all are gone, and none is to blame for that.
      if (!report_.dead && (rank.finalized || does_not_run(rank, patience))) unable_.insert(rank.rank);
    }
    waits_ = communicator_waits(ranks, unable_);
    for (const auto& [key, wait] : waits_) {
      for (const auto& [rank, function] : wait.inside) inside_[rank].insert(key);
    }
  }

  HangReport run() {
    for (const auto& [key, wait] : waits_) stopped(wait);
    not_running();
    for (const auto& [key, wait] : waits_) missing(wait);
    for (const auto& [key, wait] : waits_) different_functions(wait);
    different_communicators();
    if (report_.findings.empty()) {
      for (const auto& [key, wait] : waits_) everybody_inside(wait);
    }
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
    notes();
    not_finalized();
    return std::move(report_);
  }

 private:
  double waited(const CommunicatorWait& wait) const { return std::max(0.0, now_ - wait.since_seconds); }
  bool patient(const CommunicatorWait& wait) const { return !report_.dead && waited(wait) < patience_; }

  void add(Kind kind, const CommunicatorWait& wait, std::vector<int> culprits) {
    // A rank that is to blame for one wait is to blame for the waits that follow from it.
    if (!culprits.empty() &&
        std::all_of(culprits.begin(), culprits.end(), [&](int rank) { return blamed_.contains(rank); })) {
      return;
    }
    blamed_.insert(culprits.begin(), culprits.end());
    Finding finding{.kind = kind,
                    .communicator = wait.name,
                    .key = wait.key,
                    .function = wait.inside.begin()->second,
                    .sequence = wait.sequence,
                    .waited_seconds = waited(wait),
                    .quiet_seconds = 0,
                    .waiting = {},
                    .culprits = std::move(culprits),
                    .text = {}};
    for (const auto& [rank, function] : wait.inside) {
      if (!contains(finding.culprits, rank)) finding.waiting.push_back(rank);
    }
    finding.text = hang_text(finding, wait, by_rank_, report_.dead);
    report_.findings.push_back(std::move(finding));
  }

  void stopped(const CommunicatorWait& wait) {
    std::vector<int> culprits;
    for (int rank : unable_) {
      const auto entered = wait.entered.find(rank);
      const bool member = entered != wait.entered.end();
      const bool late = member ? entered->second < wait.sequence : contains(wait.missing, rank);
      // One that has finalized has left all that it entered; one that is stopped may be inside, or have to pass on
      // data.
      if (late || (member && rank_state(*by_rank_.at(rank)) != RankState::finalized)) culprits.push_back(rank);
    }
    if (!culprits.empty()) add(Kind::stopped, wait, std::move(culprits));
  }

  /// Ranks that do not run and that nobody is known to wait for: they may be waited for in messages, or soon.
  void not_running() {
    std::map<RankState, std::vector<int>> by_state;
    for (int rank : unable_) {
      const RankState state = rank_state(*by_rank_.at(rank));
      if (state != RankState::finalized && !blamed_.contains(rank)) by_state[state].push_back(rank);
    }
    for (auto& [state, ranks] : by_state) {
      blamed_.insert(ranks.begin(), ranks.end());
      report_.findings.push_back(telemetry::not_running(std::move(ranks), by_rank_));
    }
  }

  /// In a dead job, whoever is not in order. It comes last: what was waited for says more.
  void not_finalized() {
    if (!report_.dead) return;
    std::vector<int> ranks;
    for (const auto& [number, rank] : by_rank_) {
      if (!rank->finalized) ranks.push_back(number);
    }
    if (!ranks.empty()) report_.findings.push_back(telemetry::not_finalized(std::move(ranks), by_rank_));
  }

  void missing(const CommunicatorWait& wait) {
    if (patient(wait)) return;
    std::vector<int> culprits;
    for (int rank : wait.missing.empty() ? wait.candidates : wait.missing) {
      if (!inside_.contains(rank)) culprits.push_back(rank);
    }
    if (!culprits.empty()) add(Kind::missing, wait, std::move(culprits));
  }

  void different_functions(const CommunicatorWait& wait) {
    std::map<std::string, std::vector<int>> callers;
    for (const auto& [rank, function] : wait.called) callers[function].push_back(rank);
    if (callers.size() < 2 || patient(wait)) return;
    const auto most = std::max_element(callers.begin(), callers.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    std::vector<int> culprits;
    for (const auto& [function, ranks] : callers) {
      if (function != most->first) culprits.insert(culprits.end(), ranks.begin(), ranks.end());
    }
    std::sort(culprits.begin(), culprits.end());
    add(Kind::different_functions, wait, std::move(culprits));
  }

  /// What is left: ranks that are missing here because they wait in another communicator. Where that ends at a rank
  /// that was named, nothing is to be added; where it goes round, the fewest are named.
  void different_communicators() {
    std::vector<const CommunicatorWait*> order;
    for (const auto& [key, wait] : waits_) order.push_back(&wait);
    std::stable_sort(order.begin(), order.end(), [](const CommunicatorWait* a, const CommunicatorWait* b) {
      return a->inside.size() > b->inside.size();
    });
    std::set<std::uint64_t> explained;
    for (const CommunicatorWait* wait : order) {
      if (explained.contains(wait->key) || patient(*wait)) continue;
      std::set<std::uint64_t> reached;
      follow(wait->key, reached);
      explained.insert(reached.begin(), reached.end());
      const bool known = std::any_of(report_.findings.begin(), report_.findings.end(),
                                     [&](const Finding& finding) { return reached.contains(finding.key); });
      std::vector<int> culprits;
      for (int rank : wait->missing.empty() ? wait->candidates : wait->missing) {
        if (inside_.contains(rank)) culprits.push_back(rank);
      }
      if (!known && !culprits.empty()) add(Kind::different_communicators, *wait, std::move(culprits));
    }
  }

  /// All communicators that ranks missing from `first`, directly or through others, are inside of.
  void follow(std::uint64_t first, std::set<std::uint64_t>& reached) const {
    std::vector<std::uint64_t> next = {first};
    while (!next.empty()) {
      const CommunicatorWait& wait = waits_.at(next.back());
      next.pop_back();
      if (!reached.insert(wait.key).second) continue;
      for (const std::vector<int>* ranks : {&wait.missing, &wait.candidates}) {
        for (int rank : *ranks) {
          const auto keys = inside_.find(rank);
          if (keys != inside_.end()) next.insert(next.end(), keys->second.begin(), keys->second.end());
        }
      }
    }
  }

  void everybody_inside(const CommunicatorWait& wait) {
    if (!report_.dead && !patient(wait) && wait.missing.empty() && wait.candidates.empty()) {
      add(Kind::everybody_inside, wait, {});
    }
  }

  void notes() {
    for (const auto& [key, wait] : waits_) {
      if (report_.dead && report_.findings.empty()) report_.notes.push_back(last_call_text(wait));
    }
    quiet();
    const std::size_t size = ranks_.empty() ? 0 : static_cast<std::size_t>(ranks_.front().size);
    if (by_rank_.size() < size) {
      report_.notes.push_back("nothing is known here of " + std::to_string(size - by_rank_.size()) + " of " +
                              std::to_string(size) + " ranks: on other hosts, without AIRamp, or removed");
    }
    if (std::any_of(ranks_.begin(), ranks_.end(), [](const RankSnapshot& rank) { return !rank.observable; })) {
      report_.notes.emplace_back("some ranks' processes cannot be seen from here: whether they run is not known");
    }
  }

  void quiet() {
    std::vector<int> ranks;
    for (const auto& [number, rank] : by_rank_) {
      if (rank->runs() && !rank->finalized && !blamed_.contains(number) && !inside_.contains(number) &&
          quiet_seconds(*rank) >= patience_) {
        ranks.push_back(number);
      }
    }
    if (!ranks.empty()) report_.notes.push_back(quiet_text(ranks, by_rank_));
  }

  const std::vector<RankSnapshot>& ranks_;
  double patience_;
  double now_ = 0;
  KnownRanks by_rank_;
  std::set<int> unable_;  ///< ranks that cannot come: they do not run, or have called MPI_Finalize
  Waits waits_;
  std::map<int, std::set<std::uint64_t>> inside_;  ///< rank -> keys of what it is inside of
  std::set<int> blamed_;
  HangReport report_;
};

}  // namespace

std::string to_string(HangReport::Kind kind) {
  switch (kind) {
    case Kind::stopped:
      return "stopped";
    case Kind::not_running:
      return "not-running";
    case Kind::missing:
      return "missing";
    case Kind::different_communicators:
      return "different-communicators";
    case Kind::different_functions:
      return "different-functions";
    case Kind::everybody_inside:
      break;
  }
  return "everybody-inside";
}

HangReport analyse_hang(const std::vector<RankSnapshot>& ranks, double patience_seconds) {
  return Analysis(ranks, patience_seconds).run();
}

}  // namespace airamp::telemetry
