// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// Why a job stands still, or stood still when it died.
struct HangReport {
  enum class Kind {
    stopped,                  ///< a rank that others wait for is stopped or gone, or does not run for another reason
    not_running,              ///< the same of ranks that nobody is known to wait for in a collective
    missing,                  ///< ranks have not entered what others wait in
    different_communicators,  ///< ranks wait for each other in collectives of different communicators
    different_functions,      ///< ranks call different functions as the same collective of a communicator
    everybody_inside          ///< nobody is missing: nothing to blame a rank for
  };

  struct Finding {
    Kind kind{};
    // What is waited in; of `not_running` nothing.
    std::string communicator;  ///< name
    std::uint64_t key = 0;
    std::string function;
    std::uint64_t sequence = 0;
    double waited_seconds = 0;  ///< by whoever waits longest; in a dead job until the last that is known of any rank
    double quiet_seconds = 0;   ///< of `not_running` in a running job: so long no culprit has ended a collective
    std::vector<int> waiting;
    std::vector<int> culprits;  ///< empty: none can be named
    std::string text;           ///< a sentence
  };

  bool dead = false;               ///< no rank runs any more
  std::vector<Finding> findings;   ///< the likeliest first
  std::vector<std::string> notes;  ///< what limits the analysis
};

/// The name of a kind: "stopped", "not-running", "different-communicators", ...
std::string to_string(HangReport::Kind kind);

/// Compares the ranks of one job, after `look_at_processes`. In a running job, whoever waits less than
/// `patience_seconds` is not yet taken for stuck, unless a rank that it waits for does not run. Every rank that does
/// not run is a culprit of a finding. May throw std::bad_alloc.
HangReport analyse_hang(const std::vector<RankSnapshot>& ranks, double patience_seconds);

}  // namespace airamp::telemetry
